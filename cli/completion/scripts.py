"""What a shell has to be told so that it asks us.  Where we offer nothing it offers files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BASH: Final = """\
_nodealer() {
    local line=${COMP_LINE:0:COMP_POINT} typed offered one
    read -ra typed <<< "$line"
    [[ $line == *[[:space:]] ]] && typed+=("")
    local last=${typed[-1]} IFS=$'\\n'
    mapfile -t offered < <("$1" completion --words "${typed[*]:1}" 2>/dev/null)
    # Bash takes = and : for boundaries: what stands before the last of them is not typed again.
    local kept=${last%"${last##*[=:]}"}
    COMPREPLY=()
    for one in "${offered[@]}"; do
        COMPREPLY+=("$(printf %q "${one#"$kept"}")")
    done
}
complete -o default -F _nodealer nodealer
"""
ZSH: Final = """\
#compdef nodealer
_nodealer() {
    local -a offered
    offered=("${(@f)$("${words[1]}" completion --words "${(F)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -n ${offered[1]} ]]; then
        compadd -a offered
    else
        _files
    fi
}
compdef _nodealer nodealer
"""
FISH: Final = """\
function __nodealer
    set -l before (commandline -opc)
    set -l words ''
    for word in $before[2..-1]
        set words "$words$word"\\n
    end
    set -l begun (commandline -ct)
    $before[1] completion --words "$words$begun" 2>/dev/null
end
complete -c nodealer -f -n 'count (__nodealer) >/dev/null' -a '(__nodealer)'
complete -c nodealer -n 'not count (__nodealer) >/dev/null' -F
"""
SCRIPTS: Final[Mapping[str, str]] = {"bash": BASH, "zsh": ZSH, "fish": FISH}
