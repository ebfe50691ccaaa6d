// SPDX-License-Identifier: Apache-2.0 OR MIT
// The schedule of the fast core. Its path depends on parameters and on the valid and ready signals only; the outcome of a pivot search
// reaches no state but the flag that is read when a layer's system is done. What goes to the datapath is registered, so the datapath
// is one cycle behind: the key of a handshake is expected in the cycle after. Schedule and timing: ../doc/theory.md.

module rb_control #(
  parameter int V1        = 18,
  parameter int O1        = 12,
  parameter int O2        = 12,
  parameter int Squares   = 0,
  parameter int R         = 12,
  parameter int O         = O1 > O2 ? O1 : O2,
  parameter int C         = O + 1,
  parameter int N         = V1 + O1 + O2 + 1,
  parameter int MTiles    = (O1 + O2 + C) / C
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              wipe_i,
  input  logic              vinegars_valid_i,
  output logic              vinegars_ready_o,
  input  logic              key_valid_i,
  output logic              key_ready_o,
  output logic              signature_valid_o,
  output logic              signature_last_o,
  input  logic              signature_ready_i,
  output logic              fail_o,
  output logic              fail_layer_o,
  // Multiplicands and ring.
  output logic [MTiles-1:0] load_message_o,
  output logic              load_pairs_o,
  output logic              load_left_o,
  output logic              load_linear_o,
  output logic              load_stride_o,
  output logic              load_unit_o,
  output logic              load_normal_o,
  output logic              invert_o,
  output logic              load_product_o,  // pairs, left or normal
  output logic              stay_o,          // the multiplicands stay
  output logic              stay_ring_o,
  output logic              turn_o,
  output logic              load_vinegars_o,
  output logic [2:0]        close_o,
  output logic [1:0]        insert_o,
  // Mesh.
  output logic              keep_o,
  output logic              eliminate_o,
  output logic              use_key_o,
  output logic              use_side_o,
  output logic              fold_o,
  output logic              search_o,
  output logic              found_o,
  output logic              hold_side_o,
  output logic              restart_o,
  output logic              clear_o,
  input  logic              hit_i
);

  localparam int Groups   = O / R;
  localparam int N1       = V1 + 1;
  localparam int N2       = V1 + O1 + 1;
  localparam int Stride   = (N + C - 1) / C;
  localparam int Far      = (Squares == 1 ? 0 : 1) + C;
  localparam bit          Left     = (N2 - 1) / 2 > Far;
  localparam int OutParts = (V1 + O1 + O2 + O - 1) / O;
  localparam int CountW   = $clog2(N2 + 2);
  localparam int StepW    = $clog2(O + OutParts + 1);
  localparam int SlotW    = Groups > 1 ? $clog2(Groups) : 1;

  localparam int LastGroup   = Groups - 1;
  localparam int LastMessage = MTiles - 1;
  localparam int LastTile1   = N1 - 1;
  localparam int LastTile2   = N2 - 1;
  localparam int LastStride  = Stride - 1;
  localparam int LastStep    = O - 1;
  localparam int LastPart    = OutParts - 1;

  typedef enum logic [3:0] {
    StWipe, StIdle, StMessage, StPairs, StLeft, StLinear, StDrain, StAdd, StSettle, StInvert, StNormal, StEliminate, StTrail,
    StOutput, StOutputWait
  } state_e;

  state_e            state_q, state_d;
  logic              layer_q, layer_d, output_q, output_d;
  logic [CountW-1:0] count_q, count_d;   // tiles of a pass, cycles of an operation
  logic [StepW-1:0]  step_q, step_d;     // column being eliminated, part of the output
  logic [SlotW-1:0]  slot_q, slot_d;     // which group of rows is at the top
  logic [SlotW-1:0]  beat_q, beat_d;     // which group the tile waits for
  // The tile in the mesh.
  logic              tile_q, tile_d;     // there is one
  logic              drop_q, drop_d;     // it starts a sum
  logic              sum_q, sum_d;       // it ends a sum, which is folded into the side column
  // The outputs to the datapath, one cycle before they go there.
  logic [MTiles-1:0] load_message;
  logic              load_pairs, load_left, load_linear, load_stride, load_unit, load_normal, restart, eliminate, clear;
  logic              operation_r;
  // What follows one cycle behind, at the bottom rows.
  logic              fold_q, fold_d, search_q, search_d, found_q, found_d;
  logic [1:0]        insert_q, insert_d;
  logic [1:0]        part_q, part_d;     // the side column now receives the last group of an output part
  logic              valid_q, valid_d, last_q, last_d, fail_q, fail_d, fail_layer_q, fail_layer_d;
  logic              fire, done, advance, pass_end, load_tile, first, ends_sum, operation, operation_end, last_step;

  // The tile in the mesh takes its beats, each when its group of rows is at the top. The last tile of an output part waits until the
  // side column, which shows the part before, is taken.
  assign key_ready_o = tile_q & (beat_q == slot_q) & ~(sum_q & valid_q & ~signature_ready_i);
  assign fire        = key_ready_o & key_valid_i;
  assign done        = fire & (beat_q == LastGroup[SlotW-1:0]);
  assign advance     = ~tile_q | done;

  // Starts with the attempt, so that the waits for the first group at the top are the same for each.
  assign slot_d = (load_vinegars_o | slot_q == LastGroup[SlotW-1:0]) ? '0 : slot_q + 1'b1;
  assign beat_d = ~tile_q | done ? '0 : fire ? beat_q + 1'b1 : beat_q;

  // Operations without key take one cycle for each group of rows, starting anywhere.
  assign operation     = state_q == StAdd || state_q == StEliminate;
  assign operation_end = count_q == LastGroup[CountW-1:0];
  assign last_step     = step_q == LastStep[StepW-1:0];

  always_comb begin
    unique case (state_q)
      StMessage: pass_end = count_q == LastMessage[CountW-1:0];
      StPairs, StLinear: pass_end = count_q == (layer_q ? LastTile2[CountW-1:0] : LastTile1[CountW-1:0]);
      default: pass_end = count_q == LastStride[CountW-1:0];
    endcase
  end

  always_comb begin
    state_d      = state_q;
    layer_d      = layer_q;
    output_d     = output_q;
    count_d      = count_q;
    step_d       = step_q;
    fail_d       = fail_q;
    fail_layer_d = fail_layer_q;

    load_message  = '0;
    load_pairs    = 1'b0;
    load_left     = 1'b0;
    load_linear   = 1'b0;
    load_stride   = 1'b0;
    load_unit     = 1'b0;
    load_normal   = 1'b0;
    restart       = 1'b0;
    load_tile     = 1'b0;
    first         = 1'b0;
    ends_sum      = 1'b0;

    unique case (state_q)
      StWipe: begin
        count_d = count_q + 1'b1;
        if (count_q == Groups[CountW-1:0]) state_d = StIdle;
      end

      StIdle: begin
        count_d  = '0;
        step_d   = '0;
        layer_d  = 1'b0;
        output_d = 1'b0;
        if (vinegars_valid_i & vinegars_ready_o) begin
          fail_d       = 1'b0;
          fail_layer_d = 1'b0;
          state_d      = StMessage;
        end
      end

      StMessage: begin
        for (int q = 0; q < MTiles; q++) load_message[q] = advance & ({{(32-CountW){1'b0}}, count_q} == q);
        load_tile = advance;
        first     = count_q == '0;
        if (advance) begin
          count_d = pass_end ? '0 : count_q + 1'b1;
          if (pass_end) state_d = StPairs;
        end
      end

      StPairs: begin
        load_pairs = advance;
        load_tile  = advance;
        ends_sum   = pass_end & ~(Left & layer_q);
        if (advance) begin
          count_d = pass_end ? '0 : count_q + 1'b1;
          if (pass_end) begin
            state_d = StLinear;
            if (Left && layer_q) state_d = StLeft;
          end
        end
      end

      StLeft: begin
        load_left = advance;
        load_tile = advance;
        ends_sum  = pass_end;
        if (advance) begin
          count_d = pass_end ? '0 : count_q + 1'b1;
          if (pass_end) state_d = StLinear;
        end
      end

      StLinear: begin
        load_linear = advance;
        load_tile   = advance;
        first       = count_q == '0;
        if (advance) begin
          count_d = pass_end ? '0 : count_q + 1'b1;
          if (pass_end) state_d = StDrain;
        end
      end

      // Wait for the last tile, then add the folded sum to the last column.
      StDrain: begin
        restart   = 1'b1;
        load_unit = advance;
        if (advance) state_d = StAdd;
      end

      StAdd: begin
        count_d = operation_end ? '0 : count_q + 1'b1;
        if (operation_end) state_d = StSettle;
      end

      // The bottom rows, one cycle behind, finish the search.
      StSettle: state_d = StInvert;

      StInvert: state_d = StNormal;

      StNormal: begin
        if (~found_q) fail_d = 1'b1;
        load_normal = 1'b1;
        state_d     = StEliminate;
      end

      StEliminate: begin
        count_d = operation_end ? '0 : count_q + 1'b1;
        if (operation_end) begin
          if (last_step) begin
            step_d = '0;
            if (fail_q) begin
              fail_layer_d = layer_q;
              count_d      = '0;
              state_d      = StWipe;
            end else begin
              layer_d = 1'b1;
              state_d = StMessage;
              if (layer_q) state_d = StTrail;
            end
          end else begin
            step_d  = step_q + 1'b1;
            state_d = StSettle;
          end
        end
      end

      // The last oils reach the ring.
      StTrail: begin
        output_d = 1'b1;
        state_d  = StOutput;
      end

      StOutput: begin
        load_stride = advance;
        load_tile   = advance;
        first       = count_q == '0;
        ends_sum    = pass_end;
        if (advance) begin
          count_d = pass_end ? '0 : count_q + 1'b1;
          if (pass_end) begin
            step_d = step_q + 1'b1;
            if (step_q == LastPart[StepW-1:0]) state_d = StOutputWait;
          end
        end
      end

      StOutputWait: begin
        count_d = '0;
        // The last part is the one shown after the last tile was done.
        if (valid_q & last_q & signature_ready_i) state_d = StWipe;
      end

      default: state_d = StWipe;
    endcase

    if (wipe_i) begin
      count_d      = '0;
      state_d      = StWipe;
      fail_d       = 1'b0;
      fail_layer_d = 1'b0;
    end
  end

  assign eliminate = state_q == StEliminate;
  assign clear     = state_q == StWipe;

  assign tile_d = ~wipe_i & (load_tile | (tile_q & ~done));
  assign drop_d = load_tile ? first : drop_q;
  assign sum_d  = load_tile ? ends_sum : sum_q;

  // A search covers the cycles after those of the operation that it follows, and starts afresh with it.
  assign search_d = ~wipe_i & operation & ~(eliminate & last_step);
  assign insert_d = {2{~wipe_i & eliminate & last_step}} & {layer_q, ~layer_q};
  assign fold_d   = ~wipe_i & fire & sum_q;
  assign part_d   = {~wipe_i & part_q[0], ~wipe_i & done & sum_q & output_q};
  assign valid_d  = ~wipe_i & (part_q[1] | (valid_q & ~signature_ready_i));
  assign last_d   = part_q[1] ? state_q == StOutputWait : last_q;  // Stride > 2, so the part before ends in StOutput

  // In the time of the datapath.
  assign found_d  = ~clear_o & (search_o ? found_q | hit_i : found_q & ~operation_r);
  assign found_o  = found_q;

  assign hold_side_o       = valid_q;
  assign load_vinegars_o   = vinegars_valid_i & vinegars_ready_o;
  assign vinegars_ready_o  = state_q == StIdle & ~clear_o & ~wipe_i;
  assign signature_valid_o = valid_q;
  assign signature_last_o  = last_q;
  assign fail_o            = fail_q & state_q == StIdle & ~clear_o;
  assign fail_layer_o      = fail_layer_q & fail_o;
  assign use_side_o        = operation_r;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= StWipe;
      layer_q      <= 1'b0;
      output_q     <= 1'b0;
      count_q      <= '0;
      step_q       <= '0;
      slot_q       <= '0;
      beat_q       <= '0;
      tile_q       <= 1'b0;
      drop_q       <= 1'b0;
      sum_q        <= 1'b0;
      fold_q       <= 1'b0;
      search_q     <= 1'b0;
      found_q      <= 1'b0;
      insert_q     <= '0;
      part_q       <= '0;
      valid_q      <= 1'b0;
      last_q       <= 1'b0;
      fail_q       <= 1'b0;
      fail_layer_q <= 1'b0;
      load_message_o <= '0;
      load_pairs_o   <= 1'b0;
      load_left_o    <= 1'b0;
      load_linear_o  <= 1'b0;
      load_stride_o  <= 1'b0;
      load_unit_o    <= 1'b0;
      load_normal_o  <= 1'b0;
      invert_o       <= 1'b0;
      load_product_o <= 1'b0;
      stay_o         <= 1'b0;
      stay_ring_o    <= 1'b0;
      turn_o         <= 1'b0;
      close_o        <= '0;
      insert_o       <= '0;
      keep_o         <= 1'b0;
      eliminate_o    <= 1'b0;
      use_key_o      <= 1'b0;
      operation_r    <= 1'b0;
      fold_o         <= 1'b0;
      search_o       <= 1'b0;
      restart_o      <= 1'b0;
      clear_o        <= 1'b0;
    end else begin
      state_q      <= state_d;
      layer_q      <= layer_d;
      output_q     <= output_d;
      count_q      <= count_d;
      step_q       <= step_d;
      slot_q       <= slot_d;
      beat_q       <= beat_d;
      tile_q       <= tile_d;
      drop_q       <= drop_d;
      sum_q        <= sum_d;
      fold_q       <= fold_d;
      search_q     <= search_d;
      found_q      <= found_d;
      insert_q     <= insert_d;
      part_q       <= part_d;
      valid_q      <= valid_d;
      last_q       <= last_d;
      fail_q       <= fail_d;
      fail_layer_q <= fail_layer_d;
      load_message_o <= load_message;
      load_pairs_o   <= load_pairs;
      load_left_o    <= load_left;
      load_linear_o  <= load_linear;
      load_stride_o  <= load_stride;
      load_unit_o    <= load_unit;
      load_normal_o  <= load_normal;
      invert_o       <= state_q == StInvert;
      load_product_o <= load_pairs | load_left | load_normal;
      stay_o         <= ~((|load_message) | load_pairs | load_left | load_linear | load_stride | load_unit | load_normal | clear |
                          (Groups == 1 & search_q));
      stay_ring_o    <= ~(load_pairs | load_left | load_linear | load_stride | clear);
      turn_o         <= load_pairs | load_left | load_linear | load_stride;
      close_o        <= {output_q, layer_q & ~output_q, ~layer_q};
      insert_o       <= insert_q;
      keep_o         <= ~((fire & drop_q) | eliminate | clear);
      eliminate_o    <= eliminate;
      use_key_o      <= fire;
      operation_r    <= operation;
      fold_o         <= fold_q;
      search_o       <= search_q;
      restart_o      <= restart;
      clear_o        <= clear;
    end
  end

endmodule
