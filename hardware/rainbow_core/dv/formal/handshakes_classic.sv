// SPDX-License-Identifier: Apache-2.0 OR MIT
// What handshakes.sv says, of the classic core, and that its signature stands still and has N parts. Two copies with keys, messages and vinegars of their
// own see the same handshakes. The mesh gives anything at any time (run.py cuts it out), which is more than any mesh can.

module handshakes_classic #(
  parameter int V1 = 2,
  parameter int O1 = 2,
  parameter int N  = V1 + 2 * O1
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic                     wipe_i,
  input logic                     vinegars_valid_i,
  input logic                     key_valid_i,
  input logic                     signature_ready_i,
  input logic [1:0][V1*8-1:0]     vinegars_i,
  input logic [1:0][2*O1*8-1:0]   message_i,
  input logic [1:0][(N+1)*8-1:0]  key_i
);

  logic [1:0]      vinegars_ready, key_ready, signature_valid, signature_last, fail, fail_layer;
  logic [1:0][7:0] signature;

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    gsmith_core #(.V1(V1), .O1(O1), .O2(O1)) u_core (
      .clk_i, .rst_ni, .wipe_i, .vinegars_valid_i, .vinegars_ready_o(vinegars_ready[i]), .vinegars_i(vinegars_i[i]),
      .message_i(message_i[i]), .key_valid_i, .key_ready_o(key_ready[i]), .key_i(key_i[i]), .signature_valid_o(signature_valid[i]),
      .signature_last_o(signature_last[i]), .signature_ready_i, .signature_o(signature[i]), .fail_o(fail[i]), .fail_layer_o(fail_layer[i])
    );
  end

  // All registers but variables, parts, and what the pivot search has come to: unused rows, failure and its layer.
  logic [1:0][63:0] schedule;
  for (genvar i = 0; i < 2; i++) begin : gen_schedule
    assign schedule[i] = 64'({gen_copy[i].u_core.state_q, gen_copy[i].u_core.layer_q, gen_copy[i].u_core.row_q, gen_copy[i].u_core.count_q,
                              gen_copy[i].u_core.take_q, gen_copy[i].u_core.take_layer_q & gen_copy[i].u_core.take_q,
                              gen_copy[i].u_core.start_q, gen_copy[i].u_core.add_q, gen_copy[i].u_core.out_q,
                              gen_copy[i].u_core.out_last_q & gen_copy[i].u_core.out_q,
                              gen_copy[i].u_core.add_q ? gen_copy[i].u_core.which_q : '0,
                              gen_copy[i].u_core.last_q, gen_copy[i].u_core.held_q});
  end

  // An attempt runs; and since the copies were reset or started one together, their verdicts have differed.
  logic running, parted, verdict, equal;
  // The end of a layer, where a solution is taken or an attempt that has failed ends: the one place where the verdict counts.
  assign verdict = gen_copy[0].u_core.take_d;
  always_ff @(posedge clk_i) begin
    running <= rst_ni & ~wipe_i & ((vinegars_ready[0] & vinegars_valid_i) |
                                   (running & ~vinegars_ready[0] & ~(signature_valid[0] & signature_last[0] & signature_ready_i)));
    parted  <= rst_ni & ~((&vinegars_ready) & vinegars_valid_i) &
               (parted | (verdict & (|gen_copy[0].u_core.unused_d) != (|gen_copy[1].u_core.unused_d)));
  end

  // Parts taken in this attempt.
  logic [$clog2(N+1)-1:0] parts;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || vinegars_ready[0]) parts <= '0;
    else if (signature_valid[0] && signature_ready_i) parts <= parts + 1'b1;
  end

  // The cycle before.
  logic started = 1'b0;
  logic quiet, last_valid, last_last, last_taken, last_idle, last_start, last_fail, last_fail_layer, last_equal, last_verdict;
  logic [7:0] last_signature;
  always_ff @(posedge clk_i) begin
    started         <= 1'b1;
    quiet           <= rst_ni & ~wipe_i;
    last_valid      <= signature_valid[0];
    last_last       <= signature_last[0];
    last_signature  <= signature[0];
    last_taken      <= signature_ready_i;
    last_idle       <= vinegars_ready[0];
    last_start      <= vinegars_valid_i;
    last_fail       <= fail[0];
    last_fail_layer <= fail_layer[0];
    last_equal      <= equal;
    last_verdict    <= verdict;
  end
  assign equal = schedule[0] == schedule[1];

  always_comb begin
    if (!started) reset_first: assume (!rst_ni);
    if (started && rst_ni) begin
      if (quiet && last_valid && !last_taken) part_stays: assert (signature_valid[0] && signature_last[0] == last_last &&
                                                                  signature[0] == last_signature);
      if (signature_valid[0]) all_parts: assert (signature_last[0] == (parts == N - 1));
      if (!signature_valid[0]) nothing_shown: assert (signature[0] == '0);
      if (quiet && last_idle && !last_start) idle_stays: assert ((vinegars_ready[0] || wipe_i) && fail[0] == last_fail &&
                                                                 fail_layer[0] == last_fail_layer);
      if (!running) idle_asks_nothing: assert (!key_ready[0] && !signature_valid[0]);
      if (fail[0]) failed_is_idle: assert (vinegars_ready[0] || wipe_i);
      if (fail_layer[0]) layer_only_with_fail: assert (fail[0]);
      // Constant time.
      if (quiet && last_equal && !last_verdict) same_schedule: assert (equal);
      if (equal) same_handshakes: assert (key_ready[0] == key_ready[1] && signature_valid[0] == signature_valid[1] &&
                                          vinegars_ready[0] == vinegars_ready[1] && signature_last[0] == signature_last[1]);
      if (!parted) same_until_verdict: assert (equal && fail[0] == fail[1] && fail_layer[0] == fail_layer[1]);
    end
  end

endmodule
