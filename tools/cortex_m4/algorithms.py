# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Names of the algorithms, as in src/signature/registry.c."""

RAINBOW_I = ["rainbow-I-classic", "rainbow-I-circumzenithal", "rainbow-I-compressed"]
TWEAKED = [name + "-tweaked" for name in RAINBOW_I]
RAINBOW = RAINBOW_I + [name.replace("-I-", level) for level in ("-III-", "-V-") for name in RAINBOW_I]
UOV = [f"uov-{parameters}{keys}" for parameters in ("Is", "Ip", "III", "V") for keys in ("", "-pkc", "-pkc-skc")]
ALL = RAINBOW + TWEAKED + UOV
LEVEL_1 = RAINBOW_I + TWEAKED + [name for name in UOV if name.startswith("uov-I") and not name.startswith("uov-III")]
