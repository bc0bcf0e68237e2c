# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_oxiblosc_global_optspecs
    string join \n q/quiet v/verbose no-progress color= h/help V/version
end

function __fish_oxiblosc_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_oxiblosc_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_oxiblosc_using_subcommand
    set -l cmd (__fish_oxiblosc_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -s V -l version -d 'Print version'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "compress" -d 'Compress a file: a .npy array becomes a .b2nd array, anything else a .b2frame'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "decompress" -d 'Decompress a frame, an array or a bare chunk (Blosc2 or Blosc1), recognised by content'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "cat" -d 'Write the elements of an array, or of a part of it, to standard output or a file'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "convert" -d 'Convert between .npy, raw bytes, arrays and frames, with other chunks, blocks and parameters; what is not given stays as it is in a compressed input'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "info" -d 'Say what a compressed file holds'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "ls" -d 'List compressed files and directories of them, a line each'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "verify" -d 'Decode everything in a compressed file, and say whether it is whole; a sealed frame is compared with its seal first, and of a store every object is checked'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "append" -d 'Add bytes to a frame, or the rows of a .npy array to an array; all of them or, after a crash, none'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "compact" -d 'Close the gaps that changes left in a frame; of a sparse one, remove the unused files'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "recover" -d 'Trim a frame that can be read: cut off what lies after it, the beginning of a change that was never completed; of a sparse one, remove the unused files. A damaged frame needs salvage'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "tune" -d 'Find parameters that suit data: codec, level and filters, by samples of it'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "bench" -d 'Measure codecs, levels and filters on data: ratio and speeds of compression and decompression, in memory, with every result decoded and compared'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "meta" -d 'List, print, set or remove the metadata of a frame or an array'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "diff" -d 'Say whether two files hold the same data, whatever their chunks and codecs, and else the first difference'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "completions" -d 'Print the completions of a shell, for its startup file'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "man" -d 'Write the manual pages into a directory'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "salvage" -d 'Make a new frame of every whole chunk of a damaged one, and list what is lost; exit code 0 when that is nothing, else 1'
complete -c oxiblosc -n "__fish_oxiblosc_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s o -l output -d 'The file to write, or - for standard output; DIR/ for files with the default names in a directory [default: INPUT with .b2nd or .b2frame]' -r -F
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l codec -d 'The codec [default: blosclz]' -r -f -a "blosclz\t''
lz4\t''
lz4hc\t''
zlib\t''
zstd\t''"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l level -d 'The compression level: 0 copies, 9 is the slowest; also -1 to -9 [default: 5]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l filters -d 'The filters in the order in which they are applied, as NAME or NAME:META: none, shuffle, bitshuffle, delta, trunc_prec:BITS, bytedelta, int_trunc:BITS, ndcell:SIDE, ndmean:SIDE. A filter that changes values (trunc_prec, int_trunc, ndmean) is followed by shuffle if no other filter is named; NAME,none leaves it alone [default: shuffle]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l auto -d 'Choose codec, level and filters by samples of the data, for a goal [default: balanced]' -r -f -a "ratio\t'The smallest files'
balanced\t'Small files, made and read at the speed of disks'
read\t'Files that are written once and read often'
speed\t'As fast as the fastest disks'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l split -d 'When blocks are split into one stream per byte of an item [default: forward]' -r -f -a "auto\t''
always\t''
never\t''
forward\t''"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l typesize -d 'The size of an item in bytes [default: 1, or the dtype\'s of a .npy array]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l chunk-size -d 'The size of a chunk of raw bytes, such as 4M; cut to whole items [default: 4M]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l block-size -d 'The size of a block of raw bytes, such as 256K [default: by codec and level]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l chunks -d 'The chunkshape of a .npy array, such as 100,200 [default: some MiB]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l blocks -d 'The blockshape of a .npy array [default: fit for the cache]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l npy -d 'When the input is taken as a NumPy file' -r -f -a "auto\t'When it begins as one does, through a pipe too'
always\t'Always; anything else is refused'
never\t'Never: the bytes of the file are compressed as they are'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s T -l threads -d 'The number of threads [default: one per core]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s c -l stdout -d 'Write to standard output, as -o - does'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s k -l keep -d 'Keep the input; this is the default'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l rm -d 'Remove the input after its output is complete'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s 1 -d 'The level 1; and so on'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s 2
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s 3
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s 4
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s 5
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s 6
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s 7
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s 8
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s 9
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l sparse -d 'Make a directory with a file per chunk instead of one file'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l seal -d 'Seal the frame with checksums of everything in it, for verify'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l force-nested -d 'Compress a file of Blosc2 once more, as bytes'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s f -l force -d 'Replace the output if it exists'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compress" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -s o -l output -d 'The file to write, or - for standard output; DIR/ for files with the default names in a directory. The decoded bytes, in C order; a name that ends in .npy makes a NumPy file: of the array, or else of one axis of items (|u1 for typesize 1, |V<typesize> above) [default: INPUT without its ending, or .npy for an array]' -r -F
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -s T -l threads -d 'The number of threads [default: one per core]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -s c -l stdout -d 'Write to standard output, as -o - does'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -s k -l keep -d 'Keep the input; this is the default'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -l rm -d 'Remove the input after its output is complete'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -s f -l force -d 'Replace the output if it exists'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand decompress" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -s s -l slice -d 'The part to write, as in NumPy: 0:10,5:7 or 3,...,::2; bounds may be negative or left out, steps are positive, a single index takes its axis away [default: all]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -s o -l output -d 'The file to write, or - for standard output' -r -F
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -l format -d 'How elements are written [default: by the ending of OUT: .npy, .csv, .json, .txt; text on a terminal, raw elsewhere]' -r -f -a "npy\t'A NumPy file'
raw\t'The bytes of the elements in C order'
text\t'Elements as NumPy prints them: a line for each row, or each element of one axis'
csv\t'Comma-separated values: a line for each row, or each record with names above'
json\t'Lists in lists; NaN is null'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -s T -l threads -d 'The number of threads [default: one per core]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -s f -l force -d 'Replace the output if it exists'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand cat" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s o -l output -d 'The file to write, or - for standard output; DIR/ for files with the default names in a directory [default: INPUT with .b2nd or .b2frame]' -r -F
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l codec -d 'The codec [default: blosclz]' -r -f -a "blosclz\t''
lz4\t''
lz4hc\t''
zlib\t''
zstd\t''"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l level -d 'The compression level: 0 copies, 9 is the slowest; also -1 to -9 [default: 5]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l filters -d 'The filters in the order in which they are applied, as NAME or NAME:META: none, shuffle, bitshuffle, delta, trunc_prec:BITS, bytedelta, int_trunc:BITS, ndcell:SIDE, ndmean:SIDE. A filter that changes values (trunc_prec, int_trunc, ndmean) is followed by shuffle if no other filter is named; NAME,none leaves it alone [default: shuffle]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l auto -d 'Choose codec, level and filters by samples of the data, for a goal [default: balanced]' -r -f -a "ratio\t'The smallest files'
balanced\t'Small files, made and read at the speed of disks'
read\t'Files that are written once and read often'
speed\t'As fast as the fastest disks'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l split -d 'When blocks are split into one stream per byte of an item [default: forward]' -r -f -a "auto\t''
always\t''
never\t''
forward\t''"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l typesize -d 'The size of an item in bytes [default: 1, or the dtype\'s of a .npy array]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l chunk-size -d 'The size of a chunk of raw bytes, such as 4M; cut to whole items [default: 4M]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l block-size -d 'The size of a block of raw bytes, such as 256K [default: by codec and level]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l chunks -d 'The chunkshape of a .npy array, such as 100,200 [default: some MiB]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l blocks -d 'The blockshape of a .npy array [default: fit for the cache]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l npy -d 'When the input is taken as a NumPy file' -r -f -a "auto\t'When it begins as one does, through a pipe too'
always\t'Always; anything else is refused'
never\t'Never: the bytes of the file are compressed as they are'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s T -l threads -d 'The number of threads [default: one per core]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l to -d 'Kind of output [default: by the ending of OUT: .npy, .npz, .b2nd, .b2frame, .b2z, .zarr, .raw or .bin]' -r -f -a "npy\t'A NumPy file'
npz\t'An archive of NumPy files'
zarr\t'The folder of a Zarr array'
raw\t'The bytes of the elements in C order'
b2nd\t'A compressed array'
b2frame\t'A compressed frame of bytes'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l zarr-format -d 'The version of Zarr that is written' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l dtype -d 'The dtype of raw input, such as <f8' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l shape -d 'The shape of raw input, such as 100,200; one of the lengths may be -1, for as many as there are' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s c -l stdout -d 'Write to standard output, as -o - does'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s k -l keep -d 'Keep the input; this is the default'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l rm -d 'Remove the input after its output is complete'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s 1 -d 'The level 1; and so on'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s 2
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s 3
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s 4
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s 5
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s 6
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s 7
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s 8
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s 9
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l sparse -d 'Make a directory with a file per chunk instead of one file'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l seal -d 'Seal the frame with checksums of everything in it, for verify'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l force-nested -d 'Compress a file of Blosc2 once more, as bytes'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s f -l force -d 'Replace the output if it exists'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand convert" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -l tree -d 'List a store with everything in it: a bundle of python-blosc2 (.b2e, .b2d, .b2z), Zarr, or a part of it as STORE:/KEY'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -l json -d 'Print JSON'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -l chunks -d 'List every chunk'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -l meta -d 'Print the content of all metalayers, whole'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -l bytes -d 'Print sizes as numbers of bytes'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand info" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand ls" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand ls" -l json -d 'Print JSON, a line for each'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand ls" -l bytes -d 'Print sizes as numbers of bytes'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand ls" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand ls" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand ls" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand ls" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand ls" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand verify" -s T -l threads -d 'The number of threads [default: one per core]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand verify" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand verify" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand verify" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand verify" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand verify" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand append" -s T -l threads -d 'The number of threads [default: one per core]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand append" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand append" -l seal -d 'Seal the frame again; a change takes an old seal away'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand append" -l wait -d 'Wait while another process changes the frame, instead of failing'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand append" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand append" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand append" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand append" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand append" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compact" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compact" -l wait -d 'Wait while another process changes the frame, instead of failing'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compact" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compact" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compact" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compact" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand compact" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand recover" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand recover" -l wait -d 'Wait while another process changes the frame, instead of failing'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand recover" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand recover" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand recover" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand recover" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand recover" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand tune" -l for -d 'The wish that parameters are to meet' -r -f -a "ratio\t'The smallest files'
balanced\t'Small files, made and read at the speed of disks'
read\t'Files that are written once and read often'
speed\t'As fast as the fastest disks'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand tune" -l typesize -d 'The size of an item of raw bytes [default: found by trial]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand tune" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand tune" -l json -d 'Print JSON, with every trial'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand tune" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand tune" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand tune" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand tune" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l synthetic -d 'Measure made data [default: temperatures]' -r -f -a "temperatures\t'32-bit floats of two decimals, with a daily wave and noise'
timestamps\t'64-bit integers that grow unevenly'
counts\t'16-bit integers, mostly small'
text\t'Lines of words'
noise\t'Random bytes'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l codecs -d 'The codecs' -r -f -a "blosclz\t''
lz4\t''
lz4hc\t''
zlib\t''
zstd\t''"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l levels -d 'The levels' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l filters -d 'The pipelines of filters, such as none,shuffle,delta+shuffle [default: five by the size of an item]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l splits -d 'When blocks are split into one stream per byte of an item' -r -f -a "auto\t''
always\t''
never\t''
forward\t''"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -s T -l threads -d 'The numbers of threads [default: 1, and for the best cells also up to one per core]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l typesize -d 'The size of an item of raw bytes [default: found by trial]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l sample -d 'How many bytes of the data are measured, in chunks from evenly spaced places' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l chunk-size -d 'The size of a chunk' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l time -d 'The time after which nothing is repeated any more, in seconds' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l against -d 'Measure C-Blosc2 as well: the path of its library' -r -F
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l helper -d 'The program that calls the library [default: bench_c beside this program]' -r -F
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l format -d 'The form of the report [default: by the ending of OUT: .csv, .json, .md, .html; else text]' -r -f -a "text\t'A table of 80 columns'
csv\t'Comma-separated values, a line per cell'
json\t'One object with all cells'
markdown\t'A table in Markdown'
html\t'A page with plots, in one file'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -s o -l output -d 'The file to write, or - for standard output' -r -F
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -s f -l force -d 'Replace the output if it exists'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand bench" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -f -a "list" -d 'List all metalayers: name, size, kind, value'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -f -a "get" -d 'Print one as JSON'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -f -a "set" -d 'Set one of variable length, as python-blosc2 stores values'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -f -a "del" -d 'Remove one of variable length'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and not __fish_seen_subcommand_from list get set del help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from list" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from list" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from list" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from list" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from get" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from get" -l raw -d 'Its bytes as they are'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from get" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from get" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from get" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from set" -l from -d 'Store the bytes of a file as they are' -r -F
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from set" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from set" -l text -d 'Take the value as text, also if it is JSON'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from set" -l wait -d 'Wait while another process changes the frame, instead of failing'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from set" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from set" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from set" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from set" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from del" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from del" -l wait -d 'Wait while another process changes the frame, instead of failing'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from del" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from del" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from del" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from del" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from help" -f -a "list" -d 'List all metalayers: name, size, kind, value'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from help" -f -a "get" -d 'Print one as JSON'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from help" -f -a "set" -d 'Set one of variable length, as python-blosc2 stores values'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from help" -f -a "del" -d 'Remove one of variable length'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand meta; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand diff" -s T -l threads -d 'The number of threads [default: one per core]' -r
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand diff" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand diff" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand diff" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand diff" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand diff" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand completions" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand completions" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand completions" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand completions" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand man" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand man" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand man" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand man" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand salvage" -s o -l output -d 'The frame to make: chunks that are lost are zeros in it' -r -F
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand salvage" -l color -d 'When the output has colors' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand salvage" -l sparse -d 'Make a directory with a file per chunk instead of one file'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand salvage" -l no-limits -d 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand salvage" -s f -l force -d 'Replace the output if it exists'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand salvage" -s q -l quiet -d 'Print errors only'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand salvage" -s v -l verbose -d 'Print the parameters of what is written, too'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand salvage" -l no-progress -d 'Show no progress bar'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand salvage" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "compress" -d 'Compress a file: a .npy array becomes a .b2nd array, anything else a .b2frame'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "decompress" -d 'Decompress a frame, an array or a bare chunk (Blosc2 or Blosc1), recognised by content'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "cat" -d 'Write the elements of an array, or of a part of it, to standard output or a file'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "convert" -d 'Convert between .npy, raw bytes, arrays and frames, with other chunks, blocks and parameters; what is not given stays as it is in a compressed input'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "info" -d 'Say what a compressed file holds'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "ls" -d 'List compressed files and directories of them, a line each'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "verify" -d 'Decode everything in a compressed file, and say whether it is whole; a sealed frame is compared with its seal first, and of a store every object is checked'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "append" -d 'Add bytes to a frame, or the rows of a .npy array to an array; all of them or, after a crash, none'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "compact" -d 'Close the gaps that changes left in a frame; of a sparse one, remove the unused files'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "recover" -d 'Trim a frame that can be read: cut off what lies after it, the beginning of a change that was never completed; of a sparse one, remove the unused files. A damaged frame needs salvage'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "tune" -d 'Find parameters that suit data: codec, level and filters, by samples of it'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "bench" -d 'Measure codecs, levels and filters on data: ratio and speeds of compression and decompression, in memory, with every result decoded and compared'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "meta" -d 'List, print, set or remove the metadata of a frame or an array'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "diff" -d 'Say whether two files hold the same data, whatever their chunks and codecs, and else the first difference'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "completions" -d 'Print the completions of a shell, for its startup file'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "man" -d 'Write the manual pages into a directory'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "salvage" -d 'Make a new frame of every whole chunk of a damaged one, and list what is lost; exit code 0 when that is nothing, else 1'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and not __fish_seen_subcommand_from compress decompress cat convert info ls verify append compact recover tune bench meta diff completions man salvage help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and __fish_seen_subcommand_from meta" -f -a "list" -d 'List all metalayers: name, size, kind, value'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and __fish_seen_subcommand_from meta" -f -a "get" -d 'Print one as JSON'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and __fish_seen_subcommand_from meta" -f -a "set" -d 'Set one of variable length, as python-blosc2 stores values'
complete -c oxiblosc -n "__fish_oxiblosc_using_subcommand help; and __fish_seen_subcommand_from meta" -f -a "del" -d 'Remove one of variable length'
