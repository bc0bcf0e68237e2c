
use builtin;
use str;

set edit:completion:arg-completer[oxiblosc] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'oxiblosc'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'oxiblosc'= {
            cand --color 'When the output has colors'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand compress 'Compress a file: a .npy array becomes a .b2nd array, anything else a .b2frame'
            cand decompress 'Decompress a frame, an array or a bare chunk (Blosc2 or Blosc1), recognised by content'
            cand cat 'Write the elements of an array, or of a part of it, to standard output or a file'
            cand convert 'Convert between .npy, raw bytes, arrays and frames, with other chunks, blocks and parameters; what is not given stays as it is in a compressed input'
            cand info 'Say what a compressed file holds'
            cand ls 'List compressed files and directories of them, a line each'
            cand verify 'Decode everything in a compressed file, and say whether it is whole; a sealed frame is compared with its seal first, and of a store every object is checked'
            cand append 'Add bytes to a frame, or the rows of a .npy array to an array; all of them or, after a crash, none'
            cand compact 'Close the gaps that changes left in a frame; of a sparse one, remove the unused files'
            cand recover 'Trim a frame that can be read: cut off what lies after it, the beginning of a change that was never completed; of a sparse one, remove the unused files. A damaged frame needs salvage'
            cand tune 'Find parameters that suit data: codec, level and filters, by samples of it'
            cand bench 'Measure codecs, levels and filters on data: ratio and speeds of compression and decompression, in memory, with every result decoded and compared'
            cand meta 'List, print, set or remove the metadata of a frame or an array'
            cand diff 'Say whether two files hold the same data, whatever their chunks and codecs, and else the first difference'
            cand completions 'Print the completions of a shell, for its startup file'
            cand man 'Write the manual pages into a directory'
            cand salvage 'Make a new frame of every whole chunk of a damaged one, and list what is lost; exit code 0 when that is nothing, else 1'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'oxiblosc;compress'= {
            cand -o 'The file to write, or - for standard output; DIR/ for files with the default names in a directory [default: INPUT with .b2nd or .b2frame]'
            cand --output 'The file to write, or - for standard output; DIR/ for files with the default names in a directory [default: INPUT with .b2nd or .b2frame]'
            cand --codec 'The codec [default: blosclz]'
            cand --level 'The compression level: 0 copies, 9 is the slowest; also -1 to -9 [default: 5]'
            cand --filters 'The filters in the order in which they are applied, as NAME or NAME:META: none, shuffle, bitshuffle, delta, trunc_prec:BITS, bytedelta, int_trunc:BITS, ndcell:SIDE, ndmean:SIDE. A filter that changes values (trunc_prec, int_trunc, ndmean) is followed by shuffle if no other filter is named; NAME,none leaves it alone [default: shuffle]'
            cand --auto 'Choose codec, level and filters by samples of the data, for a goal [default: balanced]'
            cand --split 'When blocks are split into one stream per byte of an item [default: forward]'
            cand --typesize 'The size of an item in bytes [default: 1, or the dtype''s of a .npy array]'
            cand --chunk-size 'The size of a chunk of raw bytes, such as 4M; cut to whole items [default: 4M]'
            cand --block-size 'The size of a block of raw bytes, such as 256K [default: by codec and level]'
            cand --chunks 'The chunkshape of a .npy array, such as 100,200 [default: some MiB]'
            cand --blocks 'The blockshape of a .npy array [default: fit for the cache]'
            cand --npy 'When the input is taken as a NumPy file'
            cand -T 'The number of threads [default: one per core]'
            cand --threads 'The number of threads [default: one per core]'
            cand --color 'When the output has colors'
            cand -c 'Write to standard output, as -o - does'
            cand --stdout 'Write to standard output, as -o - does'
            cand -k 'Keep the input; this is the default'
            cand --keep 'Keep the input; this is the default'
            cand --rm 'Remove the input after its output is complete'
            cand -1 'The level 1; and so on'
            cand -2 '2'
            cand -3 '3'
            cand -4 '4'
            cand -5 '5'
            cand -6 '6'
            cand -7 '7'
            cand -8 '8'
            cand -9 '9'
            cand --sparse 'Make a directory with a file per chunk instead of one file'
            cand --seal 'Seal the frame with checksums of everything in it, for verify'
            cand --force-nested 'Compress a file of Blosc2 once more, as bytes'
            cand -f 'Replace the output if it exists'
            cand --force 'Replace the output if it exists'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;decompress'= {
            cand -o 'The file to write, or - for standard output; DIR/ for files with the default names in a directory. The decoded bytes, in C order; a name that ends in .npy makes a NumPy file: of the array, or else of one axis of items (|u1 for typesize 1, |V<typesize> above) [default: INPUT without its ending, or .npy for an array]'
            cand --output 'The file to write, or - for standard output; DIR/ for files with the default names in a directory. The decoded bytes, in C order; a name that ends in .npy makes a NumPy file: of the array, or else of one axis of items (|u1 for typesize 1, |V<typesize> above) [default: INPUT without its ending, or .npy for an array]'
            cand -T 'The number of threads [default: one per core]'
            cand --threads 'The number of threads [default: one per core]'
            cand --color 'When the output has colors'
            cand -c 'Write to standard output, as -o - does'
            cand --stdout 'Write to standard output, as -o - does'
            cand -k 'Keep the input; this is the default'
            cand --keep 'Keep the input; this is the default'
            cand --rm 'Remove the input after its output is complete'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -f 'Replace the output if it exists'
            cand --force 'Replace the output if it exists'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;cat'= {
            cand -s 'The part to write, as in NumPy: 0:10,5:7 or 3,...,::2; bounds may be negative or left out, steps are positive, a single index takes its axis away [default: all]'
            cand --slice 'The part to write, as in NumPy: 0:10,5:7 or 3,...,::2; bounds may be negative or left out, steps are positive, a single index takes its axis away [default: all]'
            cand -o 'The file to write, or - for standard output'
            cand --output 'The file to write, or - for standard output'
            cand --format 'How elements are written [default: by the ending of OUT: .npy, .csv, .json, .txt; text on a terminal, raw elsewhere]'
            cand -T 'The number of threads [default: one per core]'
            cand --threads 'The number of threads [default: one per core]'
            cand --color 'When the output has colors'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -f 'Replace the output if it exists'
            cand --force 'Replace the output if it exists'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;convert'= {
            cand -o 'The file to write, or - for standard output; DIR/ for files with the default names in a directory [default: INPUT with .b2nd or .b2frame]'
            cand --output 'The file to write, or - for standard output; DIR/ for files with the default names in a directory [default: INPUT with .b2nd or .b2frame]'
            cand --codec 'The codec [default: blosclz]'
            cand --level 'The compression level: 0 copies, 9 is the slowest; also -1 to -9 [default: 5]'
            cand --filters 'The filters in the order in which they are applied, as NAME or NAME:META: none, shuffle, bitshuffle, delta, trunc_prec:BITS, bytedelta, int_trunc:BITS, ndcell:SIDE, ndmean:SIDE. A filter that changes values (trunc_prec, int_trunc, ndmean) is followed by shuffle if no other filter is named; NAME,none leaves it alone [default: shuffle]'
            cand --auto 'Choose codec, level and filters by samples of the data, for a goal [default: balanced]'
            cand --split 'When blocks are split into one stream per byte of an item [default: forward]'
            cand --typesize 'The size of an item in bytes [default: 1, or the dtype''s of a .npy array]'
            cand --chunk-size 'The size of a chunk of raw bytes, such as 4M; cut to whole items [default: 4M]'
            cand --block-size 'The size of a block of raw bytes, such as 256K [default: by codec and level]'
            cand --chunks 'The chunkshape of a .npy array, such as 100,200 [default: some MiB]'
            cand --blocks 'The blockshape of a .npy array [default: fit for the cache]'
            cand --npy 'When the input is taken as a NumPy file'
            cand -T 'The number of threads [default: one per core]'
            cand --threads 'The number of threads [default: one per core]'
            cand --to 'Kind of output [default: by the ending of OUT: .npy, .npz, .b2nd, .b2frame, .b2z, .zarr, .raw or .bin]'
            cand --zarr-format 'The version of Zarr that is written'
            cand --dtype 'The dtype of raw input, such as <f8'
            cand --shape 'The shape of raw input, such as 100,200; one of the lengths may be -1, for as many as there are'
            cand --color 'When the output has colors'
            cand -c 'Write to standard output, as -o - does'
            cand --stdout 'Write to standard output, as -o - does'
            cand -k 'Keep the input; this is the default'
            cand --keep 'Keep the input; this is the default'
            cand --rm 'Remove the input after its output is complete'
            cand -1 'The level 1; and so on'
            cand -2 '2'
            cand -3 '3'
            cand -4 '4'
            cand -5 '5'
            cand -6 '6'
            cand -7 '7'
            cand -8 '8'
            cand -9 '9'
            cand --sparse 'Make a directory with a file per chunk instead of one file'
            cand --seal 'Seal the frame with checksums of everything in it, for verify'
            cand --force-nested 'Compress a file of Blosc2 once more, as bytes'
            cand -f 'Replace the output if it exists'
            cand --force 'Replace the output if it exists'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;info'= {
            cand --color 'When the output has colors'
            cand --tree 'List a store with everything in it: a bundle of python-blosc2 (.b2e, .b2d, .b2z), Zarr, or a part of it as STORE:/KEY'
            cand --json 'Print JSON'
            cand --chunks 'List every chunk'
            cand --meta 'Print the content of all metalayers, whole'
            cand --bytes 'Print sizes as numbers of bytes'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;ls'= {
            cand --color 'When the output has colors'
            cand --json 'Print JSON, a line for each'
            cand --bytes 'Print sizes as numbers of bytes'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;verify'= {
            cand -T 'The number of threads [default: one per core]'
            cand --threads 'The number of threads [default: one per core]'
            cand --color 'When the output has colors'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;append'= {
            cand -T 'The number of threads [default: one per core]'
            cand --threads 'The number of threads [default: one per core]'
            cand --color 'When the output has colors'
            cand --seal 'Seal the frame again; a change takes an old seal away'
            cand --wait 'Wait while another process changes the frame, instead of failing'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;compact'= {
            cand --color 'When the output has colors'
            cand --wait 'Wait while another process changes the frame, instead of failing'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;recover'= {
            cand --color 'When the output has colors'
            cand --wait 'Wait while another process changes the frame, instead of failing'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;tune'= {
            cand --for 'The wish that parameters are to meet'
            cand --typesize 'The size of an item of raw bytes [default: found by trial]'
            cand --color 'When the output has colors'
            cand --json 'Print JSON, with every trial'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;bench'= {
            cand --synthetic 'Measure made data [default: temperatures]'
            cand --codecs 'The codecs'
            cand --levels 'The levels'
            cand --filters 'The pipelines of filters, such as none,shuffle,delta+shuffle [default: five by the size of an item]'
            cand --splits 'When blocks are split into one stream per byte of an item'
            cand -T 'The numbers of threads [default: 1, and for the best cells also up to one per core]'
            cand --threads 'The numbers of threads [default: 1, and for the best cells also up to one per core]'
            cand --typesize 'The size of an item of raw bytes [default: found by trial]'
            cand --sample 'How many bytes of the data are measured, in chunks from evenly spaced places'
            cand --chunk-size 'The size of a chunk'
            cand --time 'The time after which nothing is repeated any more, in seconds'
            cand --against 'Measure C-Blosc2 as well: the path of its library'
            cand --helper 'The program that calls the library [default: bench_c beside this program]'
            cand --format 'The form of the report [default: by the ending of OUT: .csv, .json, .md, .html; else text]'
            cand -o 'The file to write, or - for standard output'
            cand --output 'The file to write, or - for standard output'
            cand --color 'When the output has colors'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -f 'Replace the output if it exists'
            cand --force 'Replace the output if it exists'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;meta'= {
            cand --color 'When the output has colors'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand list 'List all metalayers: name, size, kind, value'
            cand get 'Print one as JSON'
            cand set 'Set one of variable length, as python-blosc2 stores values'
            cand del 'Remove one of variable length'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'oxiblosc;meta;list'= {
            cand --color 'When the output has colors'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;meta;get'= {
            cand --color 'When the output has colors'
            cand --raw 'Its bytes as they are'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;meta;set'= {
            cand --from 'Store the bytes of a file as they are'
            cand --color 'When the output has colors'
            cand --text 'Take the value as text, also if it is JSON'
            cand --wait 'Wait while another process changes the frame, instead of failing'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;meta;del'= {
            cand --color 'When the output has colors'
            cand --wait 'Wait while another process changes the frame, instead of failing'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;meta;help'= {
            cand list 'List all metalayers: name, size, kind, value'
            cand get 'Print one as JSON'
            cand set 'Set one of variable length, as python-blosc2 stores values'
            cand del 'Remove one of variable length'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'oxiblosc;meta;help;list'= {
        }
        &'oxiblosc;meta;help;get'= {
        }
        &'oxiblosc;meta;help;set'= {
        }
        &'oxiblosc;meta;help;del'= {
        }
        &'oxiblosc;meta;help;help'= {
        }
        &'oxiblosc;diff'= {
            cand -T 'The number of threads [default: one per core]'
            cand --threads 'The number of threads [default: one per core]'
            cand --color 'When the output has colors'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;completions'= {
            cand --color 'When the output has colors'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;man'= {
            cand --color 'When the output has colors'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;salvage'= {
            cand -o 'The frame to make: chunks that are lost are zeros in it'
            cand --output 'The frame to make: chunks that are lost are zeros in it'
            cand --color 'When the output has colors'
            cand --sparse 'Make a directory with a file per chunk instead of one file'
            cand --no-limits 'Accept any size that the format allows; by default, chunks above 1 GiB are refused'
            cand -f 'Replace the output if it exists'
            cand --force 'Replace the output if it exists'
            cand -q 'Print errors only'
            cand --quiet 'Print errors only'
            cand -v 'Print the parameters of what is written, too'
            cand --verbose 'Print the parameters of what is written, too'
            cand --no-progress 'Show no progress bar'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'oxiblosc;help'= {
            cand compress 'Compress a file: a .npy array becomes a .b2nd array, anything else a .b2frame'
            cand decompress 'Decompress a frame, an array or a bare chunk (Blosc2 or Blosc1), recognised by content'
            cand cat 'Write the elements of an array, or of a part of it, to standard output or a file'
            cand convert 'Convert between .npy, raw bytes, arrays and frames, with other chunks, blocks and parameters; what is not given stays as it is in a compressed input'
            cand info 'Say what a compressed file holds'
            cand ls 'List compressed files and directories of them, a line each'
            cand verify 'Decode everything in a compressed file, and say whether it is whole; a sealed frame is compared with its seal first, and of a store every object is checked'
            cand append 'Add bytes to a frame, or the rows of a .npy array to an array; all of them or, after a crash, none'
            cand compact 'Close the gaps that changes left in a frame; of a sparse one, remove the unused files'
            cand recover 'Trim a frame that can be read: cut off what lies after it, the beginning of a change that was never completed; of a sparse one, remove the unused files. A damaged frame needs salvage'
            cand tune 'Find parameters that suit data: codec, level and filters, by samples of it'
            cand bench 'Measure codecs, levels and filters on data: ratio and speeds of compression and decompression, in memory, with every result decoded and compared'
            cand meta 'List, print, set or remove the metadata of a frame or an array'
            cand diff 'Say whether two files hold the same data, whatever their chunks and codecs, and else the first difference'
            cand completions 'Print the completions of a shell, for its startup file'
            cand man 'Write the manual pages into a directory'
            cand salvage 'Make a new frame of every whole chunk of a damaged one, and list what is lost; exit code 0 when that is nothing, else 1'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'oxiblosc;help;compress'= {
        }
        &'oxiblosc;help;decompress'= {
        }
        &'oxiblosc;help;cat'= {
        }
        &'oxiblosc;help;convert'= {
        }
        &'oxiblosc;help;info'= {
        }
        &'oxiblosc;help;ls'= {
        }
        &'oxiblosc;help;verify'= {
        }
        &'oxiblosc;help;append'= {
        }
        &'oxiblosc;help;compact'= {
        }
        &'oxiblosc;help;recover'= {
        }
        &'oxiblosc;help;tune'= {
        }
        &'oxiblosc;help;bench'= {
        }
        &'oxiblosc;help;meta'= {
            cand list 'List all metalayers: name, size, kind, value'
            cand get 'Print one as JSON'
            cand set 'Set one of variable length, as python-blosc2 stores values'
            cand del 'Remove one of variable length'
        }
        &'oxiblosc;help;meta;list'= {
        }
        &'oxiblosc;help;meta;get'= {
        }
        &'oxiblosc;help;meta;set'= {
        }
        &'oxiblosc;help;meta;del'= {
        }
        &'oxiblosc;help;diff'= {
        }
        &'oxiblosc;help;completions'= {
        }
        &'oxiblosc;help;man'= {
        }
        &'oxiblosc;help;salvage'= {
        }
        &'oxiblosc;help;help'= {
        }
    ]
    $completions[$command]
}
