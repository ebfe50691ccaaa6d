// SPDX-License-Identifier: Apache-2.0 OR MIT
// The field units equal their specification: the product by the definition of each storey of the tower, t^2 = t + c, school method and no
// sharing, and the inverse by what it is. For all operands.

module field #(
  parameter int FieldBits = 8
) (
  input logic [FieldBits-1:0] s_i,
  input logic [FieldBits-1:0] t_i
);

  localparam int Lines = FieldBits == 8 ? 27 : 9;

  function automatic logic [1:0] product4(input logic [1:0] a, input logic [1:0] b);
    logic low, both, high;
    low   = a[0] & b[0];
    both = (a[0] & b[1]) ^ (a[1] & b[0]);
    high  = a[1] & b[1];
    product4 = {both ^ high, low ^ high};  // x^2 = x + 1
  endfunction

  function automatic logic [3:0] product16(input logic [3:0] a, input logic [3:0] b);
    logic [1:0] low, both, high;
    low   = product4(a[1:0], b[1:0]);
    both = product4(a[1:0], b[3:2]) ^ product4(a[3:2], b[1:0]);
    high  = product4(a[3:2], b[3:2]);
    product16 = {both ^ high, low ^ product4(high, 2'b10)};  // y^2 = y + x
  endfunction

  function automatic logic [7:0] product256(input logic [7:0] a, input logic [7:0] b);
    logic [3:0] low, both, high;
    low   = product16(a[3:0], b[3:0]);
    both = product16(a[3:0], b[7:4]) ^ product16(a[7:4], b[3:0]);
    high  = product16(a[7:4], b[7:4]);
    product256 = {both ^ high, low ^ product16(high, 4'b1000)};  // X^2 = X + xy
  endfunction

  logic [Lines-1:0]     lines;
  logic [FieldBits-1:0] p, inverse, wanted, one;

  rb_gf_prepare #(.FieldBits(FieldBits)) u_prepare (.t_i, .lines_o(lines));
  rb_gf_mul #(.FieldBits(FieldBits)) u_mul (.s_i, .lines_i(lines), .p_o(p));
  rb_gf_inv #(.FieldBits(FieldBits)) u_inv (.a_i(s_i), .inv_o(inverse));

  if (FieldBits == 8) begin : gen_256
    assign wanted = product256(s_i, t_i);
    assign one    = product256(s_i, inverse);
  end else begin : gen_16
    assign wanted = product16(s_i, t_i);
    assign one    = product16(s_i, inverse);
  end

  always_comb begin
    product: assert (p == wanted);
    inverted: assert (s_i == '0 ? inverse == '0 : one == {{(FieldBits-1){1'b0}}, 1'b1});
  end

endmodule
