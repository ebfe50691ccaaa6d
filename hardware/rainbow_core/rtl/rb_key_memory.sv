// SPDX-License-Identifier: Apache-2.0 OR MIT
// A key memory for rainbow_system: one bank of 32-bit words for each word of a beat, so that a bus writes words and the core reads beats.
// Synchronous, and zero in a cycle that follows no read, so that no key element stands still outside the memory.

module rb_key_memory #(
  parameter int Words   = 39,    // of a beat
  parameter int Beats   = 124,
  parameter int AddressW = $clog2(Beats)
) (
  input  logic                clk_i,
  input  logic [Words-1:0]    write_i,    // by bank
  input  logic                read_i,
  input  logic [AddressW-1:0] address_i,
  input  logic [31:0]         data_i,
  output logic [Words*32-1:0] data_o
);

  for (genvar w = 0; w < Words; w++) begin : gen_bank
    logic [31:0] memory [Beats];
    logic [31:0] data_q;

    always_ff @(posedge clk_i) begin
      if (write_i[w]) memory[address_i] <= data_i;
      data_q <= read_i ? memory[address_i] : '0;
    end
    assign data_o[w*32 +: 32] = data_q;
  end

endmodule
