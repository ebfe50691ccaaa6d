// SPDX-License-Identifier: Apache-2.0 OR MIT
// The signing core of 2008 rebuilt on G-SMITH: equations with i < j and linear terms over GF(256), two layers of O equations. A row of a
// key matrix enters a cycle. The handshakes are those of rainbow_core. The time is that of the worst pivot search, always.

module gsmith_core #(
  parameter int V1 = 18,
  parameter int O1 = 12,
  parameter int O2 = 12,         // equal to O1
  parameter int N  = V1 + O1 + O2,
  parameter int M  = O1 + O2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             wipe_i,             // abandon all work and clear every register that held a secret

  input  logic             vinegars_valid_i,   // starts an attempt
  output logic             vinegars_ready_o,
  input  logic [V1*8-1:0]  vinegars_i,
  input  logic [M*8-1:0]   message_i,          // stays still during the attempt

  input  logic             key_valid_i,
  output logic             key_ready_o,
  input  logic [(N+1)*8-1:0] key_i,            // in the cycle after the handshake; order: model/classic.py

  output logic             signature_valid_o,  // one element a part
  output logic             signature_last_o,
  input  logic             signature_ready_i,
  output logic [7:0]       signature_o,

  output logic             fail_o,             // the last attempt met a singular system; until the next attempt
  output logic             fail_layer_o
);

`ifndef __ICARUS__  // whose version 11 knows no elaboration tasks
  if (O1 != O2 || V1 < O1) begin : gen_limits
    $error("gsmith_core has no schedule for these parameters");
  end
`endif

  localparam int O         = O1;
  localparam int Operations = O + O * (O - 1) / 2;
  localparam int RowW      = $clog2(N + 1);
  localparam int CountW    = $clog2(Operations + N);
  localparam int LastRow1  = V1;
  localparam int LastRow2  = V1 + O1;
  localparam int LastEquation  = O - 1;
  localparam int LastOperation = Operations - 1;
  localparam int LastPart  = N - 1;

  typedef enum logic [2:0] {StWipe, StIdle, StSetUp, StDrain, StSolve, StOutput, StOutputWait} state_e;

  state_e            state_q, state_d;
  logic              layer_q, layer_d;
  logic [RowW-1:0]   row_q, row_d;          // 0: message row, else the known variable
  logic [CountW-1:0] count_q, count_d;      // equation, operation of a solution, part of the output
  logic              fail_q, fail_d, fail_layer_q, fail_layer_d;
  logic              take_q, take_d, take_layer_q, take_layer_d;  // solution into the variables
  // What the key of the next cycle is for.
  logic              start_q, start_d, add_q, add_d, out_q, out_d, out_last_q, out_last_d;
  logic [RowW-1:0]   which_q, which_d;
  logic [O-1:0]      unused_q, unused_d;    // one-hot: last unused row; zero: all columns are done
  logic [N*8-1:0]    x_q, x_d;
  // The parts to show: a queue of two.
  logic [15:0]       parts_q, parts_d;
  logic [1:0]        last_q, last_d, held_q, held_d;

  logic              fire, load, clear, eliminate, shift, pivot_zero, solving, pop;
  logic [1:0]        room;
  logic [7:0]        scalar, inner;
  logic [N*8-1:0]    factors;
  logic [O*8-1:0]    solution;
  logic [RowW-1:0]   last_row;

  assign clear    = state_q == StWipe;
  assign pop      = held_q[0] & signature_ready_i;
  // An output key is taken if its element will find room.
  assign room        = {1'b0, held_q[0] & ~pop} + {1'b0, held_q[1]} + {1'b0, out_q};
  assign key_ready_o = state_q == StSetUp | (state_q == StOutput & room <= 2'd1);
  assign fire        = key_ready_o & key_valid_i;
  assign last_row    = layer_q ? LastRow2[RowW-1:0] : LastRow1[RowW-1:0];

  assign vinegars_ready_o = state_q == StIdle & ~wipe_i;
  assign load             = vinegars_ready_o & vinegars_valid_i;

  always_comb begin
    state_d      = state_q;
    layer_d      = layer_q;
    row_d        = row_q;
    count_d      = count_q;
    fail_d       = fail_q;
    fail_layer_d = fail_layer_q;
    take_d       = 1'b0;
    take_layer_d = layer_q;
    start_d      = 1'b0;
    add_d        = 1'b0;
    out_d        = 1'b0;
    out_last_d   = 1'b0;
    which_d      = row_q;

    unique case (state_q)
      // Two cycles: after the first nothing comes from the mesh any more.
      StWipe: begin
        count_d = count_q + 1'b1;
        layer_d = 1'b0;
        row_d   = '0;
        if (count_q[0]) begin
          count_d = '0;
          state_d = StIdle;
        end
      end

      StIdle: begin
        if (load) begin
          fail_d       = 1'b0;
          fail_layer_d = 1'b0;
          state_d      = StSetUp;
        end
      end

      StSetUp: begin
        start_d = fire & row_q == '0;
        add_d   = fire & row_q != '0;
        if (fire) begin
          row_d = row_q == last_row ? '0 : row_q + 1'b1;
          if (row_q == last_row) begin
            count_d = count_q + 1'b1;
            if (count_q == LastEquation[CountW-1:0]) begin
              count_d = '0;
              state_d = StDrain;
            end
          end
        end
      end

      StDrain: state_d = StSolve;

      StSolve: begin
        count_d = count_q + 1'b1;
        if (count_q == LastOperation[CountW-1:0]) begin
          count_d = '0;
          take_d  = 1'b1;
          layer_d = 1'b1;
          state_d = StSetUp;
          if (layer_q) state_d = StOutput;
          if (unused_d != '0) begin
            fail_d       = 1'b1;
            fail_layer_d = layer_q;
            state_d      = StWipe;
          end
        end
      end

      StOutput: begin
        out_d      = fire;
        out_last_d = count_q == LastPart[CountW-1:0];
        if (fire) begin
          count_d = count_q + 1'b1;
          if (count_q == LastPart[CountW-1:0]) begin
            count_d = '0;
            state_d = StOutputWait;
          end
        end
      end

      StOutputWait: if (pop & last_q[0]) state_d = StWipe;

      default: state_d = StWipe;
    endcase

    if (wipe_i) begin
      state_d      = StWipe;
      count_d      = '0;
      fail_d       = 1'b0;
      fail_layer_d = 1'b0;
      take_d       = 1'b0;
      start_d      = 1'b0;
      add_d        = 1'b0;
      out_d        = 1'b0;
    end
  end

  // Solution: each cycle eliminates, or shifts as the pivot is zero, or idles as all columns are done.
  assign solving   = state_q == StSolve & (|unused_q);
  assign eliminate = solving & ~pivot_zero;
  assign shift     = solving & pivot_zero;
  assign unused_d  = clear ? '0 : state_q == StDrain ? {1'b1, {(O-1){1'b0}}} : eliminate ? unused_q >> 1 : unused_q;

  // Variables, and what multiplies the key: the message in the first row of an equation.
  for (genvar i = 0; i < N; i++) begin : gen_variable
    if (i < V1) begin : gen_vinegar
      assign x_d[i*8 +: 8] = clear ? '0 : load ? vinegars_i[i*8 +: 8] : x_q[i*8 +: 8];
    end else if (i < V1 + O1) begin : gen_oil_1
      assign x_d[i*8 +: 8] = clear ? '0 : (take_q & ~take_layer_q) ? solution[(i-V1)*8 +: 8] : x_q[i*8 +: 8];
    end else begin : gen_oil_2
      assign x_d[i*8 +: 8] = clear ? '0 : (take_q & take_layer_q) ? solution[(i-V1-O1)*8 +: 8] : x_q[i*8 +: 8];
    end
    if (i < M) begin : gen_message
      assign factors[i*8 +: 8] = start_q ? message_i[i*8 +: 8] : x_q[i*8 +: 8];
    end else begin : gen_no_message
      assign factors[i*8 +: 8] = x_q[i*8 +: 8] & {8{~start_q}};
    end
  end

  always_comb begin
    scalar = '0;
    for (int i = 0; i < V1 + O1; i++) begin
      scalar |= x_q[i*8 +: 8] & {8{{{(32-RowW){1'b0}}, which_q} == i + 1}};
    end
  end

  gsmith_mesh #(.FieldBits(8), .O(O), .N(N)) u_mesh (
    .clk_i, .clear_i(clear), .start_i(start_q), .row_i(add_q), .eliminate_i(eliminate), .shift_i(shift), .last_i(unused_q),
    .key_i(key_i[N*8-1:0]), .key_constant_i(key_i[N*8 +: 8]), .x_i(factors), .scalar_i(scalar),
    .inner_o(inner), .pivot_zero_o(pivot_zero), .solution_o(solution)
  );

  always_comb begin
    parts_d = pop ? {8'd0, parts_q[15:8]} : parts_q;
    last_d  = pop ? {1'b0, last_q[1]} : last_q;
    held_d  = pop ? {1'b0, held_q[1]} : held_q;
    if (out_q) begin
      if (held_d[0]) begin
        parts_d[15:8] = inner;
        last_d[1]     = out_last_q;
        held_d[1]     = 1'b1;
      end else begin
        parts_d[7:0] = inner;
        last_d[0]    = out_last_q;
        held_d[0]    = 1'b1;
      end
    end
    if (clear | wipe_i) begin
      parts_d = '0;
      last_d  = '0;
      held_d  = '0;
    end
  end

  assign signature_valid_o = held_q[0];
  assign signature_last_o  = last_q[0];
  assign signature_o       = parts_q[7:0] & {8{held_q[0]}};
  assign fail_o            = fail_q & state_q == StIdle;
  assign fail_layer_o      = fail_layer_q & fail_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= StWipe;
      layer_q      <= 1'b0;
      row_q        <= '0;
      count_q      <= '0;
      fail_q       <= 1'b0;
      fail_layer_q <= 1'b0;
      take_q       <= 1'b0;
      take_layer_q <= 1'b0;
      start_q      <= 1'b0;
      add_q        <= 1'b0;
      out_q        <= 1'b0;
      out_last_q   <= 1'b0;
      which_q      <= '0;
      unused_q     <= '0;
      last_q       <= '0;
      held_q       <= '0;
    end else begin
      state_q      <= state_d;
      layer_q      <= layer_d;
      row_q        <= row_d;
      count_q      <= count_d;
      fail_q       <= fail_d;
      fail_layer_q <= fail_layer_d;
      take_q       <= take_d;
      take_layer_q <= take_layer_d;
      start_q      <= start_d;
      add_q        <= add_d;
      out_q        <= out_d;
      out_last_q   <= out_last_d;
      which_q      <= which_d;
      unused_q     <= unused_d;
      last_q       <= last_d;
      held_q       <= held_d;
    end
  end

  // No reset: cleared by the wipe after reset.
  always_ff @(posedge clk_i) begin
    x_q     <= x_d;
    parts_q <= parts_d;
  end

endmodule
