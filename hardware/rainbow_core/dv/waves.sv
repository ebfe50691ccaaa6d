// SPDX-License-Identifier: Apache-2.0 OR MIT
// A second root beside rainbow_core that writes its ports to a waveform file, for timing_diagrams.py.

module waves;

  initial begin
    $dumpfile("waves.vcd");
    $dumpvars(1, rainbow_core);
  end

endmodule
