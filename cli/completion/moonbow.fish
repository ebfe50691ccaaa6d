# SPDX-License-Identifier: Apache-2.0 OR MIT
# Completion of moonbow's command lines for fish. The tool itself says what fits: moonbow __complete WORD...

function __moonbow_complete
    set -l words (commandline -opc)
    for line in ($words[1] __complete $words[2..-1] (commandline -ct) 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c moonbow -f -a '(__moonbow_complete)'
