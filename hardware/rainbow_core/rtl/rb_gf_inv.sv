// SPDX-License-Identifier: Apache-2.0 OR MIT
// Inverse in the tower field; 0 goes to 0. For a = low + high*X with X^2 = X + c: 1/a = ((low + high) + high*X) / N with the norm
// N = low*(low + high) + c*high^2 in GF(16), whose inverse is a table.

module rb_gf_inv #(
  parameter int FieldBits = 8
) (
  input  logic [FieldBits-1:0] a_i,
  output logic [FieldBits-1:0] inv_o
);

  function automatic logic [1:0] mul4(input logic [1:0] a, input logic [1:0] b);
    mul4 = {(a[0] & b[1]) ^ (a[1] & (b[1] ^ b[0])), (a[0] & b[0]) ^ (a[1] & b[1])};
  endfunction

  function automatic logic [1:0] square4(input logic [1:0] a);
    square4 = {a[1], a[1] ^ a[0]};
  endfunction

  function automatic logic [1:0] times_x(input logic [1:0] a);
    times_x = {a[1] ^ a[0], a[1]};
  endfunction

  function automatic logic [3:0] mul16(input logic [3:0] a, input logic [3:0] b);
    logic [1:0] low;
    low = mul4(a[1:0], b[1:0]);
    mul16 = {low ^ mul4(a[3:2] ^ a[1:0], b[3:2] ^ b[1:0]), low ^ mul4(a[3:2], times_x(b[3:2]))};
  endfunction

  // (l + h*y)^2 = (l^2 + x*h^2) + h^2*y.
  function automatic logic [3:0] square16(input logic [3:0] a);
    logic [1:0] h;
    h = square4(a[3:2]);
    square16 = {h, square4(a[1:0]) ^ times_x(h)};
  endfunction

  function automatic logic [3:0] times_xy(input logic [3:0] a);
    logic [1:0] s;
    s = times_x(a[3:2] ^ a[1:0]);
    times_xy = {s, a[2], a[3] ^ a[2]};
  endfunction

  // As a table: two levels faster than the formula once more.
  function automatic logic [3:0] inv16(input logic [3:0] a);
    unique case (a)
      4'd1: inv16 = 4'd1;
      4'd2: inv16 = 4'd3;
      4'd3: inv16 = 4'd2;
      4'd4: inv16 = 4'd15;
      4'd5: inv16 = 4'd12;
      4'd6: inv16 = 4'd9;
      4'd7: inv16 = 4'd11;
      4'd8: inv16 = 4'd10;
      4'd9: inv16 = 4'd6;
      4'd10: inv16 = 4'd8;
      4'd11: inv16 = 4'd7;
      4'd12: inv16 = 4'd5;
      4'd13: inv16 = 4'd14;
      4'd14: inv16 = 4'd13;
      4'd15: inv16 = 4'd4;
      default: inv16 = 4'd0;
    endcase
  endfunction

  if (FieldBits == 8) begin : gen_256
    logic [3:0] n;
    assign n     = inv16(mul16(a_i[3:0], a_i[7:4] ^ a_i[3:0]) ^ times_xy(square16(a_i[7:4])));
    assign inv_o = {mul16(a_i[7:4], n), mul16(a_i[7:4] ^ a_i[3:0], n)};
  end else begin : gen_16
    assign inv_o = inv16(a_i);
  end

endmodule
