// SPDX-License-Identifier: Apache-2.0 OR MIT
// The field units side by side, for exhaustive tests: p = s*t and the inverse of s.

module field_bench #(
  parameter int FieldBits = 8
) (
  input  logic [FieldBits-1:0] s_i,
  input  logic [FieldBits-1:0] t_i,
  output logic [FieldBits-1:0] p_o,
  output logic [FieldBits-1:0] inv_o
);

  localparam int Lines = FieldBits == 8 ? 27 : 9;
  logic [Lines-1:0] lines;

  rb_gf_prepare #(.FieldBits(FieldBits)) u_prepare (.t_i(t_i), .lines_o(lines));
  rb_gf_mul #(.FieldBits(FieldBits)) u_mul (.s_i(s_i), .lines_i(lines), .p_o(p_o));
  rb_gf_inv #(.FieldBits(FieldBits)) u_inv (.a_i(s_i), .inv_o(inv_o));

endmodule
