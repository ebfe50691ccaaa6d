// SPDX-License-Identifier: Apache-2.0 OR MIT
// What wipe.sv says, of the classic core: all registers of its mesh and its own but the schedule.

module wipe_classic #(
  parameter int V1 = 2,
  parameter int O1 = 2,
  parameter int N  = V1 + 2 * O1
) (
  input logic                clk_i,
  input logic                vinegars_valid_i,
  input logic [V1*8-1:0]     vinegars_i,
  input logic [2*O1*8-1:0]   message_i,
  input logic                key_valid_i,
  input logic [(N+1)*8-1:0]  key_i,
  input logic                signature_ready_i
);

  logic       vinegars_ready, key_ready, signature_valid, signature_last, fail, fail_layer;
  logic [7:0] signature;
  logic [7:0] since = '0;
  logic       was_ready = 1'b0;

  gsmith_core #(.V1(V1), .O1(O1), .O2(O1)) u_core (
    .clk_i, .rst_ni(1'b1), .wipe_i(since == '0), .vinegars_valid_i, .vinegars_ready_o(vinegars_ready), .vinegars_i, .message_i,
    .key_valid_i, .key_ready_o(key_ready), .key_i, .signature_valid_o(signature_valid), .signature_last_o(signature_last),
    .signature_ready_i, .signature_o(signature), .fail_o(fail), .fail_layer_o(fail_layer)
  );

  always_ff @(posedge clk_i) begin
    since     <= since == 8'hFF ? since : since + 1'b1;
    was_ready <= was_ready | vinegars_ready;
  end

  always_comb begin
    if (since != '0 && !was_ready) begin
      no_signature: assert (!signature_valid && signature == '0 && !fail && !fail_layer && !key_ready);
      if (vinegars_ready) nothing_left: assert ({u_core.u_mesh.a_q, u_core.x_q, u_core.parts_q, u_core.unused_q, u_core.fail_q,
                                                 u_core.fail_layer_q} == '0);
    end
    in_time: assert (since < 8'd3 || was_ready || vinegars_ready);
  end

endmodule
