# The part of the completion for fish that is the same whatever commands there are.

# Whether the words before the cursor call this command.
function __culprit_at
    set -l words (commandline -opc)
    set -e words[1]
    for word in $argv
        test "$words[1]" = "$word"; or return 1
        set -e words[1]
    end
end

# The same, and nothing follows it yet but options.
function __culprit_just
    __culprit_at $argv; or return 1
    set -l words (commandline -opc | string match -v -- '-*')
    test (count $words) -eq (math 1 + (count $argv))
end

# Whether the last option before the cursor is this one.
function __culprit_after
    set -l options (commandline -opc | string match -- '-*')
    test "$options[-1]" = "$argv[1]"
end

function __culprit_version
    set -l value (commandline -ct | string replace -r -- '^--[^=]*=' '')
    # A program is a version, too.
    if string match -qr -- '^(~|\.{0,2}/)' "$value"
        __fish_complete_path "$value"
        return
    end
    culprit solvers list --names 2>/dev/null </dev/null
end

# Several with commas between: what stands before the last comma stays.
function __culprit_versions
    set -l before (commandline -ct | string replace -r -- '^--[^=]*=' '' | string match -r -- '.*,')
    for name in (__culprit_version)
        printf '%s\n' "$before$name"
    end
end
