/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The table of [UOV3 §1] and the lengths that follow from it. */
#include "uov/parameters.h"

const mb_uov_set mb_uov_Ip = {&mb_gf256_aes, 119, 45};
const mb_uov_set mb_uov_Is = {&mb_gf16_polynomial, 160, 64};
const mb_uov_set mb_uov_III = {&mb_gf256_aes, 193, 72};
const mb_uov_set mb_uov_V = {&mb_gf256_aes, 259, 96};

mb_uov_shapes mb_uov_measure(const mb_uov_set *set)
{
    const size_t m = set->m, v = (size_t)set->n - m;
    mb_uov_shapes is;
    is.v = v;
    is.m_bytes = mb_field_bytes(set->field, m);
    is.v_bytes = mb_field_bytes(set->field, v);
    is.n_bytes = mb_field_bytes(set->field, set->n);
    is.p1_bytes = is.m_bytes * (v * (v + 1) / 2);
    is.p2_bytes = is.m_bytes * v * m;
    is.p3_bytes = is.m_bytes * (m * (m + 1) / 2);
    is.o_bytes = is.v_bytes * m;
    return is;
}
