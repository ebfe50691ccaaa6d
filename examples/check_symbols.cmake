# SPDX-License-Identifier: Apache-2.0 OR MIT
# Run as cmake -DNM=... -DPROGRAM=... -P check_symbols.cmake: a program that names one verifier must not hold
# the code of signing or key generation, nor the registry.
execute_process(COMMAND ${NM} ${PROGRAM} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES "moonbow_rainbow_III_circumzenithal_verifier")
  message(FATAL_ERROR "${PROGRAM} does not hold the verifier: is it stripped?")
endif()
foreach(unwanted _signer _generator moonbow_algorithm mb_rainbow_sign mb_rainbow_keys mb_portable_solver
                 mb_portable_multiplier mb_substitute mb_rainbow_I_ moonbow_rainbow_V)
  if(symbols MATCHES "[^\n]*${unwanted}[^\n]*")
    message(FATAL_ERROR "${PROGRAM} verifies only, but holds: ${CMAKE_MATCH_0}")
  endif()
endforeach()
