// SPDX-License-Identifier: Apache-2.0 OR MIT
// Signing core for Rainbow: one attempt with given vinegars, in a fixed number of cycles. The key arrives as a stream in the order of
// model/schedule.py; the caller keeps the message still from the vinegars' handshake to the last part of the signature (or fail_o).
// Field, shape and rows a cycle are parameters; see ../doc/interface.md.

module rainbow_core #(
  parameter int FieldBits = 8,     // 8: GF(256), 4: GF(16), both as towers
  parameter int V1        = 18,    // even
  parameter int O1        = 12,    // even
  parameter int O2        = 12,
  parameter int Squares   = 0,     // 1: equations have squares (third round); 0: i < j (2008)
  parameter int R         = 12,    // rows a cycle, a divisor of max(O1, O2)
  parameter int O         = O1 > O2 ? O1 : O2,
  parameter int C         = O + 1,
  parameter int N         = V1 + O1 + O2 + 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           wipe_i,              // abandon all work and clear every register that held a secret

  input  logic                           vinegars_valid_i,    // starts an attempt
  output logic                           vinegars_ready_o,
  input  logic [V1*FieldBits-1:0]        vinegars_i,
  input  logic [(O1+O2)*FieldBits-1:0]   message_i,

  input  logic                           key_valid_i,
  output logic                           key_ready_o,
  input  logic [R*C*FieldBits-1:0]       key_i,               // in the cycle after the handshake

  output logic                           signature_valid_o,   // O elements a part, zeros after the last element
  output logic                           signature_last_o,
  input  logic                           signature_ready_i,
  output logic [O*FieldBits-1:0]         signature_o,

  output logic                           fail_o,              // the last attempt met a singular system; until the next attempt
  output logic                           fail_layer_o         // ... of this layer
);

  // What the schedule can do; model/schedule.py asserts the same.
  localparam int Far = C + (Squares == 1 ? 0 : 1);
`ifndef __ICARUS__  // whose version 11 knows no elaboration tasks
  if ((FieldBits != 4 && FieldBits != 8) || V1 % 2 != 0 || O1 % 2 != 0 || O % R != 0 || V1 / 2 > Far || (V1 + O1) / 2 > Far + 1 || N <= 2 * C)
  begin : gen_limits
    $error("rainbow_core has no schedule for these parameters");
  end
`endif

  localparam int W      = FieldBits;
  localparam int Lines  = FieldBits == 8 ? 27 : 9;
  localparam int Groups = O / R;
  localparam int MTiles = (O1 + O2 + C) / C;

  logic [MTiles-1:0]  load_message;
  logic               load_pairs, load_left, load_linear, load_stride, load_unit, load_normal, invert, turn, load_vinegars, stay,
                      load_product, stay_ring;
  logic [2:0]         ring_close;
  logic [1:0]         insert;
  logic               keep, eliminate, use_key, use_side, fold, search, found, hold_side, restart, clear, hit;
  logic [N*W-1:0]     x;
  logic [C*Lines-1:0] lines;
  logic [C*W-1:0]     row;
  logic [W-1:0]       pivot, x_next;
  logic [O*W-1:0]     solution, side;

  rb_control #(.V1(V1), .O1(O1), .O2(O2), .Squares(Squares), .R(R)) u_control (
    .clk_i, .rst_ni, .wipe_i,
    .vinegars_valid_i, .vinegars_ready_o,
    .key_valid_i, .key_ready_o,
    .signature_valid_o, .signature_last_o, .signature_ready_i,
    .fail_o, .fail_layer_o,
    .load_message_o(load_message), .load_pairs_o(load_pairs), .load_left_o(load_left), .load_linear_o(load_linear),
    .load_stride_o(load_stride), .load_unit_o(load_unit), .load_normal_o(load_normal), .invert_o(invert), .turn_o(turn),
    .load_product_o(load_product), .stay_o(stay), .stay_ring_o(stay_ring),
    .load_vinegars_o(load_vinegars), .close_o(ring_close), .insert_o(insert),
    .keep_o(keep), .eliminate_o(eliminate), .use_key_o(use_key), .use_side_o(use_side), .fold_o(fold), .search_o(search),
    .found_o(found), .hold_side_o(hold_side), .restart_o(restart), .clear_o(clear), .hit_i(hit)
  );

  rb_ring #(.FieldBits(W), .V1(V1), .O1(O1), .O2(O2)) u_ring (
    .clk_i, .load_i(load_vinegars), .turn_i(turn), .stay_i(stay_ring), .close_i(ring_close), .insert_i(insert),
    .vinegars_i, .oils_i(solution), .x_o(x), .x_next_o(x_next)
  );

  rb_multiplicands #(.FieldBits(W), .V1(V1), .O1(O1), .O2(O2), .Squares(Squares), .R(R)) u_multiplicands (
    .clk_i, .clear_i(clear), .stay_i(stay), .load_product_i(load_product),
    .load_message_i(load_message), .load_pairs_i(load_pairs), .load_left_i(load_left), .load_linear_i(load_linear),
    .load_stride_i(load_stride), .load_unit_i(load_unit), .load_normal_i(load_normal), .invert_i(invert), .load_row_i(search), .hit_i(hit & ~found),
    .message_i, .x_i(x), .x_next_i(x_next), .row_i(row), .pivot_i(pivot), .lines_o(lines)
  );

  rb_mesh #(.FieldBits(W), .O(O), .R(R)) u_mesh (
    .clk_i, .keep_i(keep), .eliminate_i(eliminate), .use_key_i(use_key), .use_side_i(use_side), .key_i, .lines_i(lines),
    .fold_i(fold), .search_i(search), .found_i(found), .hold_side_i(hold_side), .clear_i(clear), .restart_i(restart),
    .hit_o(hit), .pivot_o(pivot), .row_o(row), .solution_o(solution), .side_o(side)
  );

  // When a part is shown, the side column has turned by one group against the rows' order.
  for (genvar g = 0; g < Groups; g++) begin : gen_signature
    assign signature_o[g*R*W +: R*W] = side[((g+Groups-1)%Groups)*R*W +: R*W] & {(R*W){signature_valid_o}};
  end

endmodule
