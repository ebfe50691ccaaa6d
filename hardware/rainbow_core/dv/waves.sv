// SPDX-License-Identifier: Apache-2.0 OR MIT
// A second root beside rainbow_core that writes its ports, its nets and the control's registers to a waveform file, for timing_diagrams.py.

module waves;

  initial begin
    $dumpfile("waves.vcd");
    $dumpvars(1, rainbow_core, rainbow_core.u_control);
  end

endmodule
