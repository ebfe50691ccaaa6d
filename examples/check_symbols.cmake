# SPDX-License-Identifier: Apache-2.0 OR MIT
# Run as cmake -DNM=... -DPROGRAM=... -P check_symbols.cmake: a program that names one verifier must not hold
# the code of signing or key generation, nor the registry.
execute_process(COMMAND ${NM} ${PROGRAM} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(NOT symbols MATCHES "moonbow_uov_Is_pkc_verifier")
  message(FATAL_ERROR "${PROGRAM} does not hold the verifier: is it stripped?")
endif()
foreach(unwanted _signer moonbow_[A-Za-z_]*_generator moonbow_algorithm mb_uov_sign mb_uov_keys mb_rainbow
                 mb_portable_multiplier mb_portable_solver mb_substitute moonbow_uov_V)
  if(symbols MATCHES "[^\n]*${unwanted}[^\n]*")
    message(FATAL_ERROR "${PROGRAM} verifies only, but holds: ${CMAKE_MATCH_0}")
  endif()
endforeach()
