# Completion for bash: the program itself says what can follow.
_headlight() {
    mapfile -t COMPREPLY < <("$1" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
}
complete -o default -F _headlight headlight
