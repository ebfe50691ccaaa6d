// SPDX-License-Identifier: Apache-2.0 OR MIT
// The variables: a ring of registers that turns by one element. Element 0 after loading is the constant 1, then the vinegars, then the
// oils of both layers as they are found. The ring closes after N1, N2 or all elements, for layer 1, layer 2 and the output map.

module rb_ring #(
  parameter int FieldBits = 8,
  parameter int V1        = 18,
  parameter int O1        = 12,
  parameter int O2        = 12,
  parameter int O         = O1 > O2 ? O1 : O2,
  parameter int N         = V1 + O1 + O2 + 1
) (
  input  logic                    clk_i,
  input  logic                    load_i,       // constant and vinegars in, all else zero
  input  logic                    turn_i,
  input  logic                    stay_i,       // neither clear nor turn
  input  logic [2:0]              close_i,      // one-hot: which ring turns
  input  logic [1:0]              insert_i,     // one-hot: oils of layer 1, of layer 2; or'ed into zeros
  input  logic [V1*FieldBits-1:0] vinegars_i,
  input  logic [O*FieldBits-1:0]  oils_i,
  output logic [N*FieldBits-1:0]  x_o,
  output logic [FieldBits-1:0]    x_next_o      // element 0 in the next cycle
);

  localparam int W  = FieldBits;
  localparam int N1 = V1 + 1;
  localparam int N2 = V1 + O1 + 1;

  logic [N*W-1:0] x_q, x_d;
  logic           stay;

  assign stay = stay_i & ~load_i;

  for (genvar i = 0; i < N; i++) begin : gen_element
    logic [W-1:0] next, init, insert;

    if (i == N - 1) begin : gen_next_last
      assign next = x_q[W-1:0] & {W{close_i[2]}};
    end else if (i == N1 - 1) begin : gen_next_1
      assign next = close_i[0] ? x_q[W-1:0] : x_q[(i+1)*W +: W];
    end else if (i == N2 - 1) begin : gen_next_2
      assign next = close_i[1] ? x_q[W-1:0] : x_q[(i+1)*W +: W];
    end else begin : gen_next
      assign next = x_q[(i+1)*W +: W];
    end

    if (i == 0) begin : gen_constant
      assign init   = {{(W-1){1'b0}}, 1'b1};
      assign insert = '0;
    end else if (i < N1) begin : gen_vinegar
      assign init   = vinegars_i[(i-1)*W +: W];
      assign insert = '0;
    end else if (i < N2) begin : gen_oil_1
      assign init   = '0;
      assign insert = oils_i[(i-N1)*W +: W] & {W{insert_i[0]}};
    end else begin : gen_oil_2
      assign init   = '0;
      assign insert = oils_i[(i-N2)*W +: W] & {W{insert_i[1]}};
    end

    assign x_d[i*W +: W] = (x_q[i*W +: W] & {W{stay}}) | (next & {W{turn_i}}) | (init & {W{load_i}}) | insert;
  end

  // No reset: the core clears these by a wipe after reset.
  always_ff @(posedge clk_i) begin
    x_q <= x_d;
  end

  assign x_o      = x_q;
  assign x_next_o = x_d[W-1:0];

endmodule
