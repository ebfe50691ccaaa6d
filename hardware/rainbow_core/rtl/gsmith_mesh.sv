// SPDX-License-Identifier: Apache-2.0 OR MIT
// G-SMITH, the mesh of the 2008 core: O x (O + 1) cells. One cycle eliminates a column: the pivot row at the top is normalised by its own
// multipliers and moves to the bottom, all other rows are reduced and move up and left. If the pivot is zero, the rows not yet used
// shift up by one instead. The same multipliers form an inner product of N elements, and build an equation in the bottom row.

module gsmith_mesh #(
  parameter int FieldBits = 8,
  parameter int O         = 12,
  parameter int N         = 42,      // elements of the inner product; 0: solver only
  parameter int C         = O + 1,
  parameter int K         = N == 0 ? C : N
) (
  input  logic                   clk_i,
  input  logic                   clear_i,
  input  logic                   start_i,      // rows up; bottom row := last O elements of the key, and the inner product
  input  logic                   row_i,        // bottom row += scalar * (last O elements of the key, and the inner product)
  input  logic                   eliminate_i,
  input  logic                   shift_i,      // rows up to the last unused one shift up, cyclically
  input  logic [O-1:0]           last_i,       // one-hot: the last unused row
  input  logic [K*FieldBits-1:0] key_i,        // first factors of the inner product
  input  logic [FieldBits-1:0]   key_constant_i,
  input  logic [K*FieldBits-1:0] x_i,          // second factors
  input  logic [FieldBits-1:0]   scalar_i,
  output logic [FieldBits-1:0]   inner_o,      // constant + sum of products
  output logic                   pivot_zero_o,
  output logic [O*FieldBits-1:0] solution_o    // column 0
);

  localparam int W     = FieldBits;
  localparam int Lines = FieldBits == 8 ? 27 : 9;

  // The product of the last cell of the bottom row follows the inner product, which others make: no loop in any one bit.
  /* verilator lint_off UNOPTFLAT */
  logic [O*C*W-1:0] p;
  logic [O*C*W-1:0] a_q, a_d;
  logic [W-1:0]     inverse;
  logic [C*W-1:0]   normal, column;   // the normalised pivot row; the multiplicand of a column
  logic [C*Lines-1:0] lines;
  logic [O-1:0]     up, wrap;         // a row takes the row below; the top row

  assign pivot_zero_o = ~(|a_q[W-1:0]);
  rb_gf_inv #(.FieldBits(W)) u_inverse (.a_i(a_q[W-1:0]), .inv_o(inverse));

  assign normal = p[C*W-1:0];
  for (genvar j = 0; j < C; j++) begin : gen_column
    assign column[j*W +: W] = (N != 0 && row_i) ? scalar_i : normal[j*W +: W];
    rb_gf_prepare #(.FieldBits(W)) u_prepare (.t_i(column[j*W +: W]), .lines_o(lines[j*Lines +: Lines]));
  end

  // Products.
  for (genvar i = 0; i < O; i++) begin : gen_row
    for (genvar j = 0; j < C; j++) begin : gen_cell
      localparam int Index = i * C + j;
      logic [W-1:0]     s;
      logic [Lines-1:0] t;
      if (i == 0 || Index < N) begin : gen_own_multiplicand
        logic [W-1:0] own, s_solve, t_solve;
        assign s_solve = i == 0 ? a_q[j*W +: W] : a_q[i*C*W +: W];
        assign t_solve = i == 0 ? inverse : normal[j*W +: W];
        if (Index < N) begin : gen_inner
          assign s   = eliminate_i ? s_solve : key_i[Index*W +: W];
          assign own = eliminate_i ? t_solve : x_i[Index*W +: W];
        end else begin : gen_solve
          assign s   = s_solve;
          assign own = t_solve;
        end
        rb_gf_prepare #(.FieldBits(W)) u_prepare (.t_i(own), .lines_o(t));
      end else begin : gen_shared_multiplicand
        assign t = lines[j*Lines +: Lines];
        if (i == O - 1 && N != 0) begin : gen_bottom
          if (j < O) begin : gen_oil
            assign s = eliminate_i ? a_q[i*C*W +: W] : key_i[(K-O+j)*W +: W];
          end else begin : gen_constant
            assign s = eliminate_i ? a_q[i*C*W +: W] : inner_o;
          end
        end else begin : gen_solve
          assign s = a_q[i*C*W +: W];
        end
      end
      rb_gf_mul #(.FieldBits(W)) u_mul (.s_i(s), .lines_i(t), .p_o(p[Index*W +: W]));
    end
  end

  if (N != 0) begin : gen_sum
    always_comb begin
      inner_o = key_constant_i;
      for (int q = 0; q < N; q++) inner_o ^= p[q*W +: W];
    end
  end else begin : gen_no_sum
    assign inner_o = '0;
  end

  /* verilator lint_on UNOPTFLAT */

  // Movements.
  for (genvar i = 0; i < O; i++) begin : gen_move
    if (i < O - 1) begin : gen_up
      assign up[i] = start_i | (shift_i & (|last_i[O-1:i+1]));
    end else begin : gen_no_up
      assign up[i] = 1'b0;
    end
    assign wrap[i] = shift_i & last_i[i];
    for (genvar j = 0; j < C; j++) begin : gen_cell
      logic [W-1:0] below, reduced, loaded;
      logic         load, hold;
      if (i < O - 1) begin : gen_inside
        assign below  = a_q[((i+1)*C+j)*W +: W];
        assign loaded = '0;
        assign load   = 1'b0;
        if (j < C - 1) begin : gen_reduced
          assign reduced = a_q[((i+1)*C+j+1)*W +: W] ^ p[((i+1)*C+j+1)*W +: W];
        end else begin : gen_right
          assign reduced = '0;
        end
      end else begin : gen_bottom
        assign below = '0;
        assign load  = start_i | row_i;
        if (N == 0) begin : gen_solver
          assign loaded = key_i[j*W +: W];
        end else if (j < O) begin : gen_oil
          assign loaded = row_i ? a_q[(i*C+j)*W +: W] ^ p[(i*C+j)*W +: W] : key_i[(K-O+j)*W +: W];
        end else begin : gen_constant
          assign loaded = row_i ? a_q[(i*C+j)*W +: W] ^ p[(i*C+j)*W +: W] : inner_o;
        end
        if (j < C - 1) begin : gen_reduced
          assign reduced = normal[(j+1)*W +: W];
        end else begin : gen_right
          assign reduced = '0;
        end
      end
      assign hold = ~(up[i] | wrap[i] | eliminate_i | load | clear_i);
      assign a_d[(i*C+j)*W +: W] = (below & {W{up[i]}}) | (a_q[j*W +: W] & {W{wrap[i]}}) | (reduced & {W{eliminate_i}}) |
                                   (loaded & {W{load}}) | (a_q[(i*C+j)*W +: W] & {W{hold}});
    end
    assign solution_o[i*W +: W] = a_q[i*C*W +: W];
  end

  // No reset: the core clears these by a wipe after reset.
  always_ff @(posedge clk_i) begin
    a_q <= a_d;
  end

endmodule
