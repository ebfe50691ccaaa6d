// SPDX-License-Identifier: Apache-2.0 OR MIT
// The matrix of the fast core: O rows of C = O + 1 elements that rotate upwards by R rows every cycle (R = O: they stay). The R rows
// at the top are updated on the way, a := (a kept, shifted left or dropped) + s*t. The R rows at the bottom, updated one cycle
// before, are looked at: for a pivot, for their sum, for the solution. Nothing depends on data but the data.

module rb_mesh #(
  parameter int FieldBits = 8,
  parameter int O         = 12,
  parameter int R         = 12,
  parameter int Lines     = FieldBits == 8 ? 27 : 9,
  parameter int C         = O + 1
) (
  input  logic                     clk_i,
  // Update of the top rows. With neither keep nor shift the old content is dropped.
  input  logic                     keep_i,
  input  logic                     eliminate_i,  // shift left, except pivot rows, which become t
  input  logic                     use_key_i,    // s is the key
  input  logic                     use_side_i,   // s is the side column
  input  logic [R*C*FieldBits-1:0] key_i,
  input  logic [C*Lines-1:0]       lines_i,      // t, prepared, by column
  // Observation of the bottom rows.
  input  logic                     fold_i,       // side column := sum of the row
  input  logic                     search_i,     // side column := column 0; look for a pivot
  input  logic                     found_i,      // a pivot was found in an earlier group of this search
  input  logic                     hold_side_i,  // the side column stands still
  input  logic                     clear_i,      // clear the side column and all marks
  input  logic                     restart_i,    // clear the marks of used rows
  output logic                     hit_o,        // search: a pivot is among the bottom rows
  output logic [FieldBits-1:0]     pivot_o,      // ... its value
  output logic [C*FieldBits-1:0]   row_o,        // ... its row, shifted left by one column (zero without hit)
  output logic [O*FieldBits-1:0]   solution_o,   // part of the solution that the bottom rows hold after O eliminations
  output logic [O*FieldBits-1:0]   side_o        // the side column, in place
);

  localparam int W      = FieldBits;
  localparam int Groups = O / R;
  localparam int Bottom = O - R;                              // first of the bottom rows
  localparam int After  = Groups == 1 ? 0 : O - 2 * R;        // where they are one cycle later

  logic [O*C*W-1:0] a_q, a_d;
  logic [O*W-1:0]   side_q, side_d, side_masked;
  logic [O-1:0]     mark_q, mark_d;  // row is the pivot row of the running step
  logic [O-1:0]     used_q, used_d;  // row was a pivot row of an earlier step

  // Top rows: update.
  for (genvar k = 0; k < R; k++) begin : gen_row
    logic [W-1:0] side;
    logic         keep, shift;
    assign side  = side_q[k*W +: W] & {W{use_side_i}};
    assign keep  = keep_i;
    assign shift = eliminate_i & ~mark_q[k];
    for (genvar j = 0; j < C; j++) begin : gen_cell
      logic [W-1:0] s, p;
      assign s = (key_i[(k*C+j)*W +: W] & {W{use_key_i}}) | side;
      rb_gf_mul #(.FieldBits(W)) u_mul (.s_i(s), .lines_i(lines_i[j*Lines +: Lines]), .p_o(p));
      assign a_d[((Bottom+k)*C+j)*W +: W] = p ^ ((a_q[(k*C+j)*W +: W] & {W{keep}}) |
                                                 (a_q[(k*C+(j+1)%C)*W +: W] & {W{shift}}));
    end
  end

  // All other rows: rotation.
  if (Groups > 1) begin : gen_rotate
    assign a_d[Bottom*C*W-1:0] = a_q[O*C*W-1:R*C*W];
  end

  // Bottom rows: the first row that is unused and not zero in column 0 becomes the pivot row.
  logic [R-1:0] candidate, select, covered;
  for (genvar k = 0; k < R; k++) begin : gen_search
    assign candidate[k] = (|a_q[(Bottom+k)*C*W +: W]) & ~used_q[Bottom+k];
  end
  // covered[k]: a candidate is among rows 0 to k; a parallel prefix, as a chain would be the longest path of the core.
  always_comb begin
    covered = candidate;
    for (int d = 1; d < R; d = 2 * d) covered |= covered << d;
  end
  assign select = candidate & ~(covered << 1) & {R{search_i & ~found_i}};
  assign hit_o = |candidate;

  always_comb begin
    pivot_o = '0;
    for (int k = 0; k < R; k++) pivot_o |= a_q[(Bottom+k)*C*W +: W] & {W{select[k]}};
  end

  for (genvar j = 0; j < C; j++) begin : gen_pivot_row
    logic [W-1:0] element;
    always_comb begin
      element = '0;
      for (int k = 0; k < R; k++) element |= a_q[((Bottom+k)*C+(j+1)%C)*W +: W] & {W{select[k]}};
    end
    assign row_o[j*W +: W] = element;
  end

  // After O eliminations column 0 holds the solution and row i is the unit vector of its variable in columns 1 to O.
  for (genvar j = 0; j < O; j++) begin : gen_solution
    logic [W-1:0] element;
    always_comb begin
      element = '0;
      for (int k = 0; k < R; k++) element |= a_q[(Bottom+k)*C*W +: W] & {W{a_q[((Bottom+k)*C+j+1)*W]}};
    end
    assign solution_o[j*W +: W] = element;
  end

  // Side column: travels with the rows. A pivot row's factor becomes 1, for that row is replaced by t.
  for (genvar i = 0; i < O; i++) begin : gen_side
    assign side_masked[i*W +: W] = mark_q[i] ? {{(W-1){1'b0}}, 1'b1} : side_q[i*W +: W];
    if (i >= After && i < After + R) begin : gen_capture
      localparam int Row = Bottom + i - After;
      logic [W-1:0] sum;
      always_comb begin
        sum = '0;
        for (int j = 0; j < C; j++) sum ^= a_q[(Row*C+j)*W +: W];
      end
      assign side_d[i*W +: W] = (sum & {W{fold_i}}) | (a_q[Row*C*W +: W] & {W{search_i}}) |
                                (side_masked[((i+R)%O)*W +: W] & {W{~fold_i & ~search_i & ~hold_side_i & ~clear_i}}) |
                                (side_q[i*W +: W] & {W{hold_side_i}});
      assign mark_d[i] = ~clear_i & (search_i ? select[i-After] : mark_q[(i+R)%O] & ~(eliminate_i & (i+R)%O < R));
    end else begin : gen_travel
      assign side_d[i*W +: W] = hold_side_i ? side_q[i*W +: W] : side_masked[((i+R)%O)*W +: W] & {W{~clear_i}};
      assign mark_d[i] = ~clear_i & mark_q[(i+R)%O] & ~(eliminate_i & (i+R)%O < R);
    end
    assign used_d[i] = ~clear_i & ~restart_i & (used_q[(i+R)%O] | (eliminate_i & (i+R)%O < R & mark_q[(i+R)%O]));
  end

  // No reset: the core clears these by a wipe after reset.
  always_ff @(posedge clk_i) begin
    a_q    <= a_d;
    side_q <= side_d;
    mark_q <= mark_d;
    used_q <= used_d;
  end

  assign side_o = side_q;

endmodule
