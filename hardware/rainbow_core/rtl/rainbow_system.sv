// SPDX-License-Identifier: Apache-2.0 OR MIT
// rainbow_core behind 32-bit registers on an APB bus, with its key memory: a starting point for integration. The registers are described
// in ../doc/integration.md and ../driver/rainbow_core_registers.h. Every access takes two cycles; secrets can be written, never read.

module rainbow_system #(
  parameter int FieldBits = 4,
  parameter int V1        = 36,
  parameter int O1        = 32,
  parameter int O2        = 32,
  parameter int Squares   = 1,
  parameter int R         = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        psel_i,
  input  logic        penable_i,
  input  logic        pwrite_i,
  input  logic [11:0] paddr_i,
  input  logic [31:0] pwdata_i,
  output logic [31:0] prdata_o,
  output logic        pready_o,
  output logic        pslverr_o,     // an access to nothing
  output logic        interrupt_o    // an attempt has ended; until the next start or wipe
);

  localparam int W        = FieldBits;
  localparam int O        = O1 > O2 ? O1 : O2;
  localparam int C        = O + 1;
  localparam int N        = V1 + O1 + O2;
  localparam int N1       = V1 + 1;
  localparam int N2       = V1 + O1 + 1;
  localparam int Stride   = (N + C) / C;
  localparam int MTiles   = (O1 + O2 + C) / C;
  localparam int Parts    = (N + O - 1) / O;
  localparam int Left     = (N2 - 1) / 2 > (Squares == 1 ? C : C + 1) ? Stride : 0;
  localparam int Beats    = (2 * MTiles + 2 * N1 + 2 * N2 + Left + Parts * Stride) * (O / R);
  localparam int KeyBits  = R * C * W;
  localparam int Words    = (KeyBits + 31) / 32;
  localparam int BeatW    = $clog2(Beats);
  localparam int WordW    = $clog2(Words);
  localparam int PartW    = $clog2(Parts);

  localparam int VinegarWords   = (V1 * W + 31) / 32;
  localparam int MessageWords   = ((O1 + O2) * W + 31) / 32;
  localparam int SignatureWords = (N * W + 31) / 32;
  localparam int LastWord = Words - 1;
  localparam int LastBeat = Beats - 1;

  localparam logic [31:0] Identity = 32'h52424F57;
  localparam logic [31:0] Shape    = {3'b0, Squares[0], FieldBits[3:0], O2[7:0], O1[7:0], V1[7:0]};
  localparam logic [31:0] Stream   = {Beats[23:0], R[7:0]};

  // Word addresses; blocks of 64 words.
  localparam logic [3:0] BlockControl = 4'd0, BlockVinegars = 4'd1, BlockMessage = 4'd2, BlockSignature = 4'd3;
  localparam logic [5:0] RegIdentity = 6'd0, RegShape = 6'd1, RegStream = 6'd2, RegControl = 6'd3, RegStatus = 6'd4, RegCycles = 6'd5,
                         RegKeyData = 6'd6;

  logic [VinegarWords-1:0] new_q;  // words of vinegars written since the last attempt or wipe

  // An attempt: pending until the core takes the vinegars, then running.
  logic             pending_q, running_q, done_q, failed_q, failed_layer_q, idle;
  logic [31:0]      cycles_q;
  logic [BeatW-1:0] position_q;
  logic [PartW-1:0] part_q;
  logic             vinegars_ready, key_valid, key_ready, signature_valid, signature_last, fail, fail_layer, take;
  logic [O*W-1:0]   signature;

  // Writing the key, word by word, and erasing it, beat by beat.
  logic             loaded_q, erasing_q;
  logic [WordW-1:0] word_q;
  logic [BeatW-1:0] beat_q;

  logic [3:0]  block;
  logic [5:0]  word;
  logic        write, control, start, wipe, erase, rewind, key_write;
  assign block = paddr_i[11:8];
  assign word  = paddr_i[7:2];
  assign write = psel_i & penable_i & pwrite_i;

  assign control   = write & block == BlockControl & word == RegControl;
  assign wipe      = control & pwdata_i[1];
  assign key_write = write & block == BlockControl & word == RegKeyData & idle & ~loaded_q;

  assign idle   = vinegars_ready & ~pending_q & ~running_q & ~erasing_q;
  // Alone: a key that is erased or written anew signs nothing. With new vinegars in whole: the zeros that an attempt or a wipe leaves give it away.
  assign start  = control & pwdata_i[3:0] == 4'b0001 & idle & loaded_q & (&new_q);
  assign erase  = control & pwdata_i[2] & ~wipe & idle;
  assign rewind = control & pwdata_i[3] & ~wipe & idle;

  // The registers that hold vectors; their last words may be wider than the vector.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [VinegarWords*32-1:0]   vinegars_q;
  logic [MessageWords*32-1:0]   message_q;
  logic [Words*32-1:0]          key;
  logic [Parts*O*W-1:0]         signature_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [SignatureWords*32-1:0] signature_words;
  assign signature_words = {{(SignatureWords*32-N*W){1'b0}}, signature_q[N*W-1:0]};

  for (genvar w = 0; w < VinegarWords; w++) begin : gen_vinegars
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        vinegars_q[w*32 +: 32] <= '0;
        new_q[w]               <= 1'b0;
      end else if (wipe | take) begin  // the core has them
        vinegars_q[w*32 +: 32] <= '0;
        new_q[w]               <= 1'b0;
      end else if (write & block == BlockVinegars & word == w[5:0] & ~pending_q) begin
        vinegars_q[w*32 +: 32] <= pwdata_i;
        new_q[w]               <= 1'b1;
      end
    end
  end

  for (genvar w = 0; w < MessageWords; w++) begin : gen_message
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) message_q[w*32 +: 32] <= '0;
      else if (write & block == BlockMessage & word == w[5:0] & ~pending_q & ~running_q) message_q[w*32 +: 32] <= pwdata_i;
    end
  end

  for (genvar p = 0; p < Parts; p++) begin : gen_signature
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) signature_q[p*O*W +: O*W] <= '0;
      else if (wipe | take) signature_q[p*O*W +: O*W] <= '0;
      else if (signature_valid & part_q == p[PartW-1:0]) signature_q[p*O*W +: O*W] <= signature;
    end
  end

  assign take      = pending_q & vinegars_ready & ~wipe;
  assign key_valid = running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q      <= 1'b0;
      running_q      <= 1'b0;
      done_q         <= 1'b0;
      failed_q       <= 1'b0;
      failed_layer_q <= 1'b0;
      cycles_q       <= '0;
      position_q     <= '0;
      part_q         <= '0;
    end else if (wipe) begin
      pending_q      <= 1'b0;
      running_q      <= 1'b0;
      done_q         <= 1'b0;
      failed_q       <= 1'b0;
      failed_layer_q <= 1'b0;
    end else begin
      if (start) begin
        pending_q      <= 1'b1;
        done_q         <= 1'b0;
        failed_q       <= 1'b0;
        failed_layer_q <= 1'b0;
      end
      if (take) begin
        pending_q  <= 1'b0;
        running_q  <= 1'b1;
        cycles_q   <= '0;
        position_q <= '0;
        part_q     <= '0;
      end
      if (running_q) begin
        cycles_q <= cycles_q + 1'b1;
        if (key_ready) position_q <= position_q + 1'b1;
        if (signature_valid) part_q <= part_q + 1'b1;
        if (signature_valid & signature_last) begin
          running_q <= 1'b0;
          done_q    <= 1'b1;
        end
        if (fail) begin
          running_q      <= 1'b0;
          failed_q       <= 1'b1;
          failed_layer_q <= fail_layer;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      loaded_q  <= 1'b0;
      erasing_q <= 1'b0;
      word_q    <= '0;
      beat_q    <= '0;
    end else if (rewind | erase) begin
      loaded_q  <= 1'b0;
      erasing_q <= erase;
      word_q    <= '0;
      beat_q    <= '0;
    end else if (erasing_q) begin
      beat_q    <= beat_q == LastBeat[BeatW-1:0] ? '0 : beat_q + 1'b1;
      erasing_q <= beat_q != LastBeat[BeatW-1:0];
    end else if (key_write) begin
      word_q <= word_q == LastWord[WordW-1:0] ? '0 : word_q + 1'b1;
      if (word_q == LastWord[WordW-1:0]) begin
        beat_q <= beat_q + 1'b1;
        if (beat_q == LastBeat[BeatW-1:0]) begin
          beat_q   <= '0;
          loaded_q <= 1'b1;
        end
      end
    end
  end

  logic [Words-1:0] bank_write;
  for (genvar w = 0; w < Words; w++) begin : gen_bank_write
    assign bank_write[w] = erasing_q | (key_write & word_q == w[WordW-1:0]);
  end

  rb_key_memory #(.Words(Words), .Beats(Beats)) u_key (
    .clk_i, .write_i(bank_write), .read_i(key_valid & key_ready), .address_i(running_q ? position_q : beat_q),
    .data_i(pwdata_i & {32{~erasing_q}}), .data_o(key)
  );

  rainbow_core #(.FieldBits(FieldBits), .V1(V1), .O1(O1), .O2(O2), .Squares(Squares), .R(R)) u_core (
    .clk_i, .rst_ni, .wipe_i(wipe),
    .vinegars_valid_i(pending_q), .vinegars_ready_o(vinegars_ready), .vinegars_i(vinegars_q[V1*W-1:0]),
    .message_i(message_q[(O1+O2)*W-1:0]),
    .key_valid_i(key_valid), .key_ready_o(key_ready), .key_i(key[KeyBits-1:0]),
    .signature_valid_o(signature_valid), .signature_last_o(signature_last), .signature_ready_i(1'b1), .signature_o(signature),
    .fail_o(fail), .fail_layer_o(fail_layer)
  );

  logic [31:0] status;
  logic        known;
  assign status = {27'b0, loaded_q, failed_layer_q, failed_q, done_q, idle};

  always_comb begin
    prdata_o = '0;
    known    = 1'b0;
    unique case (block)
      BlockControl: begin
        known = word <= RegKeyData;
        unique case (word)
          RegIdentity: prdata_o = Identity;
          RegShape:    prdata_o = Shape;
          RegStream:   prdata_o = Stream;
          RegStatus:   prdata_o = status;
          RegCycles:   prdata_o = cycles_q;
          default:     prdata_o = '0;
        endcase
      end
      BlockVinegars: known = word < VinegarWords[5:0];
      BlockMessage:  known = word < MessageWords[5:0];
      BlockSignature: begin
        known = word < SignatureWords[5:0];
        for (int w = 0; w < SignatureWords; w++) begin
          if (word == w[5:0]) prdata_o = signature_words[w*32 +: 32] & {32{done_q}};  // whole or not at all
        end
      end
      default: known = 1'b0;
    endcase
  end

  assign pready_o    = 1'b1;
  assign pslverr_o   = psel_i & penable_i & ~(known & paddr_i[1:0] == 2'b00);
  assign interrupt_o = done_q | failed_q;

endmodule
