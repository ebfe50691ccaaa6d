// SPDX-License-Identifier: Apache-2.0 OR MIT
// From any state at all, reachable or not, with any inputs: one cycle of wipe_i, and when the core is next ready it holds nothing of what
// it held, and it is ready in time. There is no reset and no initial value in this proof, so a bound on its depth is no bound on it.
// Named are all registers of mesh, ring and multiplicands, and those of the control that are not the schedule.

module wipe #(
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
  input logic                         vinegars_valid_i,
  input logic [V1*FieldBits-1:0]      vinegars_i,
  input logic [(O1+O2)*FieldBits-1:0] message_i,
  input logic                         key_valid_i,
  input logic [R*C*FieldBits-1:0]     key_i,
  input logic                         signature_ready_i
);

  localparam int Groups = O / R;

  logic                   vinegars_ready, key_ready, signature_valid, signature_last, fail, fail_layer;
  logic [O*FieldBits-1:0] signature;
  logic [7:0]             since = '0;  // cycles since the wipe, which is in cycle 0
  logic                   was_ready = 1'b0;

  rainbow_core #(.FieldBits(FieldBits), .V1(V1), .O1(O1), .O2(O2), .Squares(Squares), .R(R)) u_core (
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
      if (vinegars_ready) begin
        mesh: assert ({u_core.u_mesh.a_q, u_core.u_mesh.side_q, u_core.u_mesh.mark_q, u_core.u_mesh.used_q} == '0);
        ring: assert (u_core.u_ring.x_q == '0);
        multiplicands: assert ({u_core.u_multiplicands.t_q, u_core.u_multiplicands.row_q, u_core.u_multiplicands.pivot_q,
                                u_core.u_multiplicands.common_q} == '0);
        search: assert ({u_core.u_control.found_q, u_core.u_control.fail_q, u_core.u_control.fail_layer_q} == '0);
      end
    end
    in_time: assert (since < Groups[7:0] + 8'd3 || was_ready || vinegars_ready);
  end

endmodule
