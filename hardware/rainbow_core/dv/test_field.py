# SPDX-License-Identifier: Apache-2.0 OR MIT
# Exhaustive test of the field units against the model: every product, every inverse.
import os
import sys

import cocotb
from cocotb.triggers import Timer

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from model.field import FIELDS  # noqa: E402


@cocotb.test()
async def every_product_and_inverse(dut):
    field = FIELDS[int(os.environ["FIELD_BITS"])]
    for s in range(field.size):
        dut.s_i.value = s
        for t in range(field.size):
            dut.t_i.value = t
            await Timer(1, "ns")
            assert dut.p_o.value.integer == field.product[s][t], (s, t)
        assert dut.inv_o.value.integer == field.inverse[s], s
