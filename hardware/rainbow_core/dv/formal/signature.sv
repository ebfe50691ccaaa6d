// SPDX-License-Identifier: Apache-2.0 OR MIT
// A part of the signature that the fast core shows stands still until it is taken, all of its elements, and nothing is shown else. Whole
// core but for the products, which are anything (run.py cuts the multipliers out): what moves the elements, and when, is as it is.

module signature #(
  parameter int FieldBits = 4,
  parameter int V1        = 2,
  parameter int O1        = 2,
  parameter int O2        = 2,
  parameter int Squares   = 1,
  parameter int R         = 2,
  parameter int O         = O1 > O2 ? O1 : O2,
  parameter int C         = O + 1
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         wipe_i,
  input logic                         vinegars_valid_i,
  input logic [V1*FieldBits-1:0]      vinegars_i,
  input logic [(O1+O2)*FieldBits-1:0] message_i,
  input logic                         key_valid_i,
  input logic [R*C*FieldBits-1:0]     key_i,
  input logic                         signature_ready_i
);

  logic                   vinegars_ready, key_ready, valid, last, fail, fail_layer;
  logic [O*FieldBits-1:0] signature;

  rainbow_core #(.FieldBits(FieldBits), .V1(V1), .O1(O1), .O2(O2), .Squares(Squares), .R(R)) u_core (
    .clk_i, .rst_ni, .wipe_i, .vinegars_valid_i, .vinegars_ready_o(vinegars_ready), .vinegars_i, .message_i, .key_valid_i,
    .key_ready_o(key_ready), .key_i, .signature_valid_o(valid), .signature_last_o(last), .signature_ready_i, .signature_o(signature),
    .fail_o(fail), .fail_layer_o(fail_layer)
  );

  // The cycle before.
  logic started = 1'b0;
  logic quiet, last_valid, last_taken;
  logic [O*FieldBits-1:0] last_signature;
  always_ff @(posedge clk_i) begin
    started        <= 1'b1;
    quiet          <= rst_ni & ~wipe_i;
    last_valid     <= valid;
    last_signature <= signature;
    last_taken     <= signature_ready_i;
  end

  always_comb begin
    if (!started) reset_first: assume (!rst_ni);
    if (started && rst_ni) begin
      if (quiet && last_valid && !last_taken) stays: assert (valid && signature == last_signature);
      if (!valid) nothing_shown: assert (signature == '0);
    end
  end

endmodule
