#compdef headlight
# Completion for zsh: the program itself says what can follow.
local -a found
found=(${(f)"$($words[1] complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
if (( $#found )); then
    found=(${${found//:/\\:}//$'\t'/:})
    _describe 'headlight' found
else
    _files
fi
