"""What a shell has to be told so that it asks us.  Where we offer nothing it offers files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

BASH: Final = """\
_nodealer() {
    mapfile -t COMPREPLY < <("$1" completion bash --breaks "$COMP_WORDBREAKS" \\
        --line "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -o default -F _nodealer nodealer
"""
ZSH: Final = """\
#compdef nodealer
_nodealer() {
    local -a typed offered
    typed=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
    offered=("${(@f)$("${words[1]}" completion --words "${(F)typed}" 2>/dev/null)}")
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
    set -l begun (string unescape -- (commandline -ct))
    set -l offered ($before[1] completion --words "$words$begun" 2>/dev/null)
    if count $offered >/dev/null
        string join \\n -- $offered
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c nodealer -f -a '(__nodealer)'
"""
SCRIPTS: Final[Mapping[str, str]] = {"bash": BASH, "zsh": ZSH, "fish": FISH}
