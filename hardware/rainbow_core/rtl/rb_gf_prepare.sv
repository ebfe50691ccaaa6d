// SPDX-License-Identifier: Apache-2.0 OR MIT
// Prepares one operand t of rb_gf_mul: all sums and constant multiples of t that the products need, so that a column of cells
// shares them. Lines come in threes {t0 + t1, t1, t0}, one three for each GF(4) product; see ../doc/theory.md.

module rb_gf_prepare #(
  parameter int FieldBits = 8,                     // 4 or 8
  parameter int Lines     = FieldBits == 8 ? 27 : 9
) (
  input  logic [FieldBits-1:0] t_i,
  output logic [Lines-1:0]     lines_o
);

  // GF(4) = GF(2)[x]/(x^2 + x + 1): an operand a, as its three lines.
  function automatic logic [2:0] lines4(input logic [1:0] a);
    lines4 = {a[1] ^ a[0], a[1], a[0]};
  endfunction

  // GF(16) = GF(4)[y]/(y^2 + y + x): low, x * high, low + high.
  function automatic logic [8:0] lines16(input logic [3:0] a);
    lines16 = {lines4(a[3:2] ^ a[1:0]), lines4({a[3] ^ a[2], a[3]}), lines4(a[1:0])};
  endfunction

  // xy * a in GF(16): high = x * (low + high), low = x^2 * high.
  function automatic logic [3:0] times_xy(input logic [3:0] a);
    logic [1:0] s;
    s = a[3:2] ^ a[1:0];
    times_xy = {s[1] ^ s[0], s[1], a[2], a[3] ^ a[2]};
  endfunction

  if (FieldBits == 8) begin : gen_256
    // GF(256) = GF(16)[X]/(X^2 + X + xy): low, xy * high, low + high.
    assign lines_o = {lines16(t_i[7:4] ^ t_i[3:0]), lines16(times_xy(t_i[7:4])), lines16(t_i[3:0])};
  end else begin : gen_16
    assign lines_o = lines16(t_i);
  end

endmodule
