/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A program of one role of one algorithm, to see how much flash it takes: ONLY_verify, ONLY_sign or ONLY_generate, and ALGORITHM. It is linked
 * and looked at, not run. Without them: what every program takes. */
#include "../boards/board.h"

#include <moonbow/signature.h>
#include <string.h>

#define PASTE(a, b) a##b
#define ROLE(algorithm, role) PASTE(algorithm, role)

int main(void)
{
    /* Unknown to the compiler, so that it can leave nothing out. */
    uint8_t *volatile memory = board_external().start;
    const moonbow_scratch scratch = {memory, board_external().bytes, MOONBOW_SMALL};
    const moonbow_random random = {board_random, NULL};
    int status = 0;
    memcpy(memory, memory + 16, (size_t)memory);
    memset(memory, 1, (size_t)memory);
    status = memcmp(memory, memory + 1, (size_t)memory);
#if defined(ONLY_verify)
    status = moonbow_verify(&ROLE(ALGORITHM, _verifier), memory, 1, memory, 1, memory, 1, &scratch);
#elif defined(ONLY_sign)
    status = moonbow_sign(&ROLE(ALGORITHM, _signer), memory, 1, memory, 1, memory, 1, &random, &scratch);
#elif defined(ONLY_generate)
    status = moonbow_generate(&ROLE(ALGORITHM, _generator), memory, 1, memory, 1, &random, &scratch);
#endif
    (void)scratch;
    (void)random;
    return status;
}
