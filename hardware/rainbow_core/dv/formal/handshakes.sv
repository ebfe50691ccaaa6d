// SPDX-License-Identifier: Apache-2.0 OR MIT
// The handshakes of the fast core, on its control (which alone makes them): what is offered stays until it is taken, nothing is asked for
// that cannot be used, and nothing but the valid and ready signals, wipe and reset decides when. Two copies of the control see the same
// handshakes and different outcomes of the pivot search: their schedules part only where an attempt that has failed ends, and until then
// all outputs are the same, the failure and its layer included.

module handshakes #(
  parameter int V1      = 4,
  parameter int O1      = 2,
  parameter int O2      = 4,
  parameter int Squares = 0,
  parameter int R       = 2
) (
  input logic clk_i,
  input logic rst_ni,
  input logic wipe_i,
  input logic vinegars_valid_i,
  input logic key_valid_i,
  input logic signature_ready_i,
  input logic hit_a_i,
  input logic hit_b_i
);

  logic [1:0] vinegars_ready, key_ready, signature_valid, signature_last, fail, fail_layer, hit;
  assign hit = {hit_b_i, hit_a_i};

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    /* verilator lint_off PINCONNECTEMPTY */
    rb_control #(.V1(V1), .O1(O1), .O2(O2), .Squares(Squares), .R(R)) u_control (
      .clk_i, .rst_ni, .wipe_i, .vinegars_valid_i, .vinegars_ready_o(vinegars_ready[i]), .key_valid_i, .key_ready_o(key_ready[i]),
      .signature_valid_o(signature_valid[i]), .signature_last_o(signature_last[i]), .signature_ready_i, .fail_o(fail[i]),
      .fail_layer_o(fail_layer[i]), .hit_i(hit[i]),
      .load_message_o(), .load_pairs_o(), .load_left_o(), .load_linear_o(), .load_stride_o(), .load_unit_o(), .load_normal_o(), .invert_o(),
      .load_product_o(), .stay_o(), .stay_ring_o(), .turn_o(), .load_vinegars_o(), .close_o(), .insert_o(), .keep_o(), .eliminate_o(),
      .use_key_o(), .use_side_o(), .fold_o(), .search_o(), .found_o(), .hold_side_o(), .restart_o(), .clear_o()
    );
    /* verilator lint_on PINCONNECTEMPTY */
  end

  // All of the schedule, in the order of its declaration, flags of a tile or part that is there; what the search found and whether an
  // attempt has failed are left out.
  logic [1:0][63:0] schedule;
  for (genvar i = 0; i < 2; i++) begin : gen_schedule
    assign schedule[i] = 64'({gen_copy[i].u_control.state_q, gen_copy[i].u_control.layer_q, gen_copy[i].u_control.output_q,
                              gen_copy[i].u_control.count_q, gen_copy[i].u_control.step_q, gen_copy[i].u_control.slot_q,
                              gen_copy[i].u_control.beat_q, gen_copy[i].u_control.tile_q,
                              gen_copy[i].u_control.drop_q & gen_copy[i].u_control.tile_q,
                              gen_copy[i].u_control.sum_q & gen_copy[i].u_control.tile_q, gen_copy[i].u_control.part_q,
                              gen_copy[i].u_control.valid_q, gen_copy[i].u_control.last_q & gen_copy[i].u_control.valid_q,
                              gen_copy[i].u_control.clear_o});
  end

  // An attempt runs; and since the copies were reset or started one together, their verdicts have differed.
  logic running, parted, verdict, equal;
  // The end of a layer, where an attempt that has failed ends: the one place where the verdict counts.
  assign verdict = gen_copy[0].u_control.eliminate & gen_copy[0].u_control.operation_end & gen_copy[0].u_control.last_step;
  always_ff @(posedge clk_i) begin
    running <= rst_ni & ~wipe_i & ((vinegars_ready[0] & vinegars_valid_i) |
                                   (running & ~vinegars_ready[0] & ~(signature_valid[0] & signature_last[0] & signature_ready_i)));
    parted  <= rst_ni & ~((&vinegars_ready) & vinegars_valid_i) &
               (parted | (verdict & gen_copy[0].u_control.fail_q != gen_copy[1].u_control.fail_q));
  end

  // At rest: wiping or idle. Said of both copies, it shortens the proof of what follows.
  logic [1:0] rest, empty;
  for (genvar i = 0; i < 2; i++) begin : gen_rest
    assign rest[i]  = gen_copy[i].u_control.state_q <= 4'd1;
    assign empty[i] = {gen_copy[i].u_control.tile_q, gen_copy[i].u_control.part_q, gen_copy[i].u_control.valid_q} == '0;
  end

  // The cycle before.
  logic started = 1'b0;
  logic quiet, last_valid, last_last, last_taken, last_idle, last_start, last_fail, last_fail_layer, last_equal, last_verdict;
  always_ff @(posedge clk_i) begin
    started      <= 1'b1;
    quiet        <= rst_ni & ~wipe_i;
    last_valid   <= signature_valid[0];
    last_last    <= signature_last[0];
    last_taken   <= signature_ready_i;
    last_idle    <= vinegars_ready[0];
    last_start   <= vinegars_valid_i;
    last_fail    <= fail[0];
    last_fail_layer <= fail_layer[0];
    last_equal   <= equal;
    last_verdict <= verdict;
  end
  assign equal = schedule[0] == schedule[1];

  always_comb begin
    if (!started) reset_first: assume (!rst_ni);
    if (started && rst_ni) begin
      if (quiet && last_valid && !last_taken) part_stays: assert (signature_valid[0] && signature_last[0] == last_last);
      if (quiet && last_idle && !last_start) idle_stays: assert ((vinegars_ready[0] || wipe_i) && fail[0] == last_fail &&
                                                                 fail_layer[0] == last_fail_layer);
      at_rest: assert ((rest & ~empty) == '0);
      if (!running) idle_asks_nothing: assert (!key_ready[0] && !signature_valid[0]);
      if (fail[0]) failed_is_idle: assert (vinegars_ready[0] || wipe_i);
      if (fail_layer[0]) layer_only_with_fail: assert (fail[0]);
      // Constant time.
      if (quiet && last_equal && !last_verdict) same_schedule: assert (equal);
      if (equal) same_handshakes: assert (key_ready[0] == key_ready[1] && signature_valid[0] == signature_valid[1] &&
                                          vinegars_ready[0] == vinegars_ready[1] && (!signature_valid[0] || signature_last[0] == signature_last[1]));
      if (!parted) same_until_verdict: assert (equal && fail[0] == fail[1] && fail_layer[0] == fail_layer[1]);
    end
  end

endmodule
