// SPDX-License-Identifier: Apache-2.0 OR MIT
// Product of s with an operand t prepared by rb_gf_prepare. Karatsuba on the two upper storeys of the tower; the GF(4) products take
// t's sum from the prepared lines. As t carries the constants of the tower, no constant multiplication is left here.

module rb_gf_mul #(
  parameter int FieldBits = 8,
  parameter int Lines     = FieldBits == 8 ? 27 : 9
) (
  input  logic [FieldBits-1:0] s_i,
  input  logic [Lines-1:0]     lines_i,
  output logic [FieldBits-1:0] p_o
);

  function automatic logic [1:0] mul4(input logic [1:0] s, input logic [2:0] t);
    mul4 = {(s[0] & t[1]) ^ (s[1] & t[2]), (s[0] & t[0]) ^ (s[1] & t[1])};
  endfunction

  function automatic logic [3:0] mul16(input logic [3:0] s, input logic [8:0] t);
    logic [1:0] low;
    low = mul4(s[1:0], t[2:0]);
    mul16 = {low ^ mul4(s[3:2] ^ s[1:0], t[8:6]), low ^ mul4(s[3:2], t[5:3])};
  endfunction

  if (FieldBits == 8) begin : gen_256
    logic [3:0] low;
    assign low = mul16(s_i[3:0], lines_i[8:0]);
    assign p_o = {low ^ mul16(s_i[7:4] ^ s_i[3:0], lines_i[26:18]), low ^ mul16(s_i[7:4], lines_i[17:9])};
  end else begin : gen_16
    assign p_o = mul16(s_i, lines_i);
  end

endmodule
