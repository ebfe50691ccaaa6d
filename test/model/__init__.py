# SPDX-License-Identifier: Apache-2.0 OR MIT
# A slow, readable model of Rainbow that follows the definitions of [RB3] literally. It shares no code and no evaluation
# order with the C library, so that agreement of the two means something. Start at rainbow.py; see README.md for use.
