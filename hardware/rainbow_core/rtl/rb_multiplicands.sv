// SPDX-License-Identifier: Apache-2.0 OR MIT
// The multiplicands t, one a column: monomials of the ring while a layer is set up, message and variables for the affine maps,
// the normalised pivot row while a system is solved. One multiplier a column makes the monomials and normalises.

module rb_multiplicands #(
  parameter int FieldBits = 8,
  parameter int V1        = 18,
  parameter int O1        = 12,
  parameter int O2        = 12,
  parameter int Squares   = 0,
  parameter int R         = 12,
  parameter int O         = O1 > O2 ? O1 : O2,
  parameter int C         = O + 1,
  parameter int N         = V1 + O1 + O2 + 1,
  parameter int M         = O1 + O2,
  parameter int Lines     = FieldBits == 8 ? 27 : 9,
  parameter int MTiles    = (M + C) / C
) (
  input  logic                   clk_i,
  input  logic                   clear_i,
  input  logic                   stay_i,          // nothing of what follows is set, nor clear: the multiplicands stay
  input  logic                   load_product_i,  // set with pairs, left, normal
  // What to load; at most one of these is set.
  input  logic [MTiles-1:0]      load_message_i,  // one-hot: which part of (message, 1)
  input  logic                   load_pairs_i,    // x_a * x_(a+d), a different distance d in each column
  input  logic                   load_left_i,     // x_a * x_(a+d) for the last distance, a different a in each column
  input  logic                   load_linear_i,   // x_a in all columns but the last, which has x_a * x_(a+d)
  input  logic                   load_stride_i,   // x_a, a different a in each column
  input  logic                   load_unit_i,     // 0, ..., 0, 1
  input  logic                   load_normal_i,   // the pivot row times the pivot's inverse
  input  logic                   invert_i,        // set in the cycle before load_normal_i
  input  logic                   load_row_i,      // the pivot row
  input  logic                   hit_i,           // ... which was found in this cycle
  input  logic [M*FieldBits-1:0] message_i,
  /* verilator lint_off UNUSEDSIGNAL */  // only the taps are read
  input  logic [N*FieldBits-1:0] x_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [FieldBits-1:0]   x_next_i,        // element 0 of the ring in the next cycle
  input  logic [C*FieldBits-1:0] row_i,
  input  logic [FieldBits-1:0]   pivot_i,
  output logic [C*Lines-1:0]     lines_o          // the multiplicands, prepared
);

  localparam int W      = FieldBits;
  localparam int Groups = O / R;
  localparam int N2     = V1 + O1 + 1;
  localparam int Stride = (N + C - 1) / C;
  localparam int First  = Squares == 1 ? 0 : 1;     // distance of column 0 in pairs tiles
  localparam int Far    = First + C;           // distance in the last column of linear tiles
  localparam int Last   = (N2 - 1) / 2;        // the largest distance; left over if above Far

  logic [C*W-1:0]      t_q, t_d, row_q;  // multiplicands; the pivot row, not normalised
  logic [W-1:0]        pivot_q, pivot_d, inverse, common_q, common_d;
  logic [MTiles*C*W-1:0] message;

  assign message = {{((MTiles*C-M)*W-1){1'b0}}, 1'b1, message_i};

  assign pivot_d  = clear_i ? '0 : (load_row_i & hit_i) ? pivot_i : pivot_q;
  rb_gf_inv #(.FieldBits(W)) u_inverse (.a_i(pivot_q), .inv_o(inverse));

  // The operand that all columns share: a copy of element 0 of the ring, or the pivot's inverse.
  assign common_d = invert_i ? inverse : x_next_i;

  if (Groups == 1) begin : gen_row_in_place
    // The mesh does not need t while it is searched: t itself takes the row, or zeros if there is none.
    assign row_q = t_q;
  end else begin : gen_row_apart
    // The search overlaps the elimination, which needs t: the row waits in a register of its own.
    logic [C*W-1:0] row_d;
    assign row_d = clear_i ? '0 : (load_row_i & hit_i) ? row_i : row_q;
    always_ff @(posedge clk_i) begin
      row_q <= row_d;
    end
  end

  for (genvar j = 0; j < C; j++) begin : gen_column
    logic [W-1:0]     factor, other, product, plain;
    logic [Lines-1:0] other_lines;
    logic             load_product;

    // One operand: by column.
    logic [W-1:0] stride_x, message_part;
    if (Stride * j < N) begin : gen_stride
      assign stride_x = x_i[Stride*j*W +: W];
    end else begin : gen_no_stride
      assign stride_x = '0;
    end
    if (j == C - 1) begin : gen_factor_last
      assign factor = (x_i[(First+j)*W +: W] & {W{load_pairs_i}}) | (x_i[Far*W +: W] & {W{load_linear_i}}) |
                      (row_q[j*W +: W] & {W{load_normal_i}}) | (stride_x & {W{load_left_i}});
      assign load_product = load_product_i | load_linear_i;
    end else begin : gen_factor
      assign factor = (x_i[(First+j)*W +: W] & {W{load_pairs_i}}) |
                      (row_q[j*W +: W] & {W{load_normal_i}}) | (stride_x & {W{load_left_i}});
      assign load_product = load_product_i;
    end

    // The other: x_a or the inverse, for all columns; in left-over tiles by column.
    if (Last > Far && Stride * j < N2) begin : gen_other_left
      assign other = load_left_i ? x_i[((Stride*j+Last)%N2)*W +: W] : common_q;
    end else begin : gen_other
      assign other = common_q;
    end
    rb_gf_prepare #(.FieldBits(W)) u_prepare_other (.t_i(other), .lines_o(other_lines));
    rb_gf_mul #(.FieldBits(W)) u_mul (.s_i(factor), .lines_i(other_lines), .p_o(product));

    // What needs no product.
    always_comb begin
      message_part = '0;
      for (int q = 0; q < MTiles; q++) message_part |= message[(q*C+j)*W +: W] & {W{load_message_i[q]}};
    end
    if (j == C - 1) begin : gen_plain_last
      assign plain = message_part | (stride_x & {W{load_stride_i}}) | {{(W-1){1'b0}}, load_unit_i};
    end else begin : gen_plain
      assign plain = message_part | (stride_x & {W{load_stride_i}}) | (x_i[W-1:0] & {W{load_linear_i}});
    end

    if (Groups == 1) begin : gen_take_row
      assign t_d[j*W +: W] = (product & {W{load_product}}) | plain | (t_q[j*W +: W] & {W{stay_i}}) |
                             (row_i[j*W +: W] & {W{load_row_i}});
    end else begin : gen_no_row
      assign t_d[j*W +: W] = (product & {W{load_product}}) | plain | (t_q[j*W +: W] & {W{stay_i}});
    end

    rb_gf_prepare #(.FieldBits(W)) u_prepare (.t_i(t_q[j*W +: W]), .lines_o(lines_o[j*Lines +: Lines]));
  end

  // No reset: the core clears these by a wipe after reset.
  always_ff @(posedge clk_i) begin
    t_q      <= t_d;
    pivot_q  <= pivot_d;
    common_q <= common_d;
  end

endmodule
