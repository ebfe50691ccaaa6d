# SPDX-License-Identifier: Apache-2.0 OR MIT
# Completion of moonbow's command lines for bash. The tool itself says what fits: moonbow __complete WORD...

_moonbow() {
    local IFS=$'\n' line files='' words=() current=${COMP_WORDS[COMP_CWORD]}
    local tool=${COMP_WORDS[0]/#\~/$HOME}
    COMPREPLY=()
    while read -r line; do
        case $line in
            :files) files=1 ;;
            *) words+=("${line%%$'\t'*}") ;;
        esac
    done < <("$tool" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    if [ -n "$files" ]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$current"))
    else
        COMPREPLY=("${words[@]}")
    fi
}
complete -F _moonbow moonbow
