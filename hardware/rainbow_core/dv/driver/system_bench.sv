// SPDX-License-Identifier: Apache-2.0 OR MIT
// rainbow_system with a view of what no bus can read: whether secrets stand in its registers, and any word of its key memory.

module system_bench #(
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
  output logic        pslverr_o,
  output logic        interrupt_o,
  output logic        vinegars_stand_o,
  output logic        signature_stands_o,
  output logic        key_beat_stands_o,  // the last beat read, in the memory's output registers
  output logic [15:0] key_beats_o,
  output logic [15:0] key_words_o,        // of a beat
  input  logic [15:0] beat_i,
  input  logic [15:0] word_i,
  output logic [31:0] key_word_o
);

  localparam int KeyWords = (R * ((O1 > O2 ? O1 : O2) + 1) * FieldBits + 31) / 32;

  rainbow_system #(.FieldBits(FieldBits), .V1(V1), .O1(O1), .O2(O2), .Squares(Squares), .R(R)) u_system (
    .clk_i, .rst_ni, .psel_i, .penable_i, .pwrite_i, .paddr_i, .pwdata_i, .prdata_o, .pready_o, .pslverr_o, .interrupt_o
  );

  assign vinegars_stand_o   = |u_system.vinegars_q;
  assign signature_stands_o = |u_system.signature_q;
  assign key_beats_o        = 16'(u_system.Beats);
  assign key_words_o        = 16'(KeyWords);

  logic [KeyWords-1:0] stands;
  logic [31:0]         beat [KeyWords];
  for (genvar w = 0; w < KeyWords; w++) begin : gen_word
    assign stands[w] = |u_system.u_key.gen_bank[w].data_q;
    assign beat[w]   = u_system.u_key.gen_bank[w].memory[beat_i[$clog2(u_system.Beats)-1:0]];
  end
  assign key_beat_stands_o = |stands;
  assign key_word_o        = beat[word_i[$clog2(KeyWords)-1:0]];

endmodule
