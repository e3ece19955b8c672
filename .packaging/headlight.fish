# Completion for fish: the program itself says what can follow.
function __headlight_complete
    set -l found (headlight complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c headlight -f -a '(__headlight_complete)'
