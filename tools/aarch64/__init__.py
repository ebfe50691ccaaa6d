# SPDX-License-Identifier: Apache-2.0 OR MIT
"""What tools/moonbow-aarch64 is made of. What does not depend on the processor is shared with moonbow-m4."""
