
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'oxiblosc' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'oxiblosc'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'oxiblosc' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('compress', 'compress', [CompletionResultType]::ParameterValue, 'Compress a file: a .npy array becomes a .b2nd array, anything else a .b2frame')
            [CompletionResult]::new('decompress', 'decompress', [CompletionResultType]::ParameterValue, 'Decompress a frame, an array or a bare chunk (Blosc2 or Blosc1), recognised by content')
            [CompletionResult]::new('cat', 'cat', [CompletionResultType]::ParameterValue, 'Write the elements of an array, or of a part of it, to standard output or a file')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Convert between .npy, raw bytes, arrays and frames, with other chunks, blocks and parameters; what is not given stays as it is in a compressed input')
            [CompletionResult]::new('info', 'info', [CompletionResultType]::ParameterValue, 'Say what a compressed file holds')
            [CompletionResult]::new('ls', 'ls', [CompletionResultType]::ParameterValue, 'List compressed files and directories of them, a line each')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Decode everything in a compressed file, and say whether it is whole; a sealed frame is compared with its seal first, and of a store every object is checked')
            [CompletionResult]::new('append', 'append', [CompletionResultType]::ParameterValue, 'Add bytes to a frame, or the rows of a .npy array to an array; all of them or, after a crash, none')
            [CompletionResult]::new('compact', 'compact', [CompletionResultType]::ParameterValue, 'Close the gaps that changes left in a frame; of a sparse one, remove the unused files')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Trim a frame that can be read: cut off what lies after it, the beginning of a change that was never completed; of a sparse one, remove the unused files. A damaged frame needs salvage')
            [CompletionResult]::new('tune', 'tune', [CompletionResultType]::ParameterValue, 'Find parameters that suit data: codec, level and filters, by samples of it')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Measure codecs, levels and filters on data: ratio and speeds of compression and decompression, in memory, with every result decoded and compared')
            [CompletionResult]::new('meta', 'meta', [CompletionResultType]::ParameterValue, 'List, print, set or remove the metadata of a frame or an array')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Say whether two files hold the same data, whatever their chunks and codecs, and else the first difference')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions of a shell, for its startup file')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual pages into a directory')
            [CompletionResult]::new('salvage', 'salvage', [CompletionResultType]::ParameterValue, 'Make a new frame of every whole chunk of a damaged one, and list what is lost; exit code 0 when that is nothing, else 1')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'oxiblosc;compress' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The file to write, or - for standard output; DIR/ for files with the default names in a directory [default: INPUT with .b2nd or .b2frame]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The file to write, or - for standard output; DIR/ for files with the default names in a directory [default: INPUT with .b2nd or .b2frame]')
            [CompletionResult]::new('--codec', '--codec', [CompletionResultType]::ParameterName, 'The codec [default: blosclz]')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'The compression level: 0 copies, 9 is the slowest; also -1 to -9 [default: 5]')
            [CompletionResult]::new('--filters', '--filters', [CompletionResultType]::ParameterName, 'The filters in the order in which they are applied, as NAME or NAME:META: none, shuffle, bitshuffle, delta, trunc_prec:BITS, bytedelta, int_trunc:BITS, ndcell:SIDE, ndmean:SIDE. A filter that changes values (trunc_prec, int_trunc, ndmean) is followed by shuffle if no other filter is named; NAME,none leaves it alone [default: shuffle]')
            [CompletionResult]::new('--auto', '--auto', [CompletionResultType]::ParameterName, 'Choose codec, level and filters by samples of the data, for a goal [default: balanced]')
            [CompletionResult]::new('--split', '--split', [CompletionResultType]::ParameterName, 'When blocks are split into one stream per byte of an item [default: forward]')
            [CompletionResult]::new('--typesize', '--typesize', [CompletionResultType]::ParameterName, 'The size of an item in bytes [default: 1, or the dtype''s of a .npy array]')
            [CompletionResult]::new('--chunk-size', '--chunk-size', [CompletionResultType]::ParameterName, 'The size of a chunk of raw bytes, such as 4M; cut to whole items [default: 4M]')
            [CompletionResult]::new('--block-size', '--block-size', [CompletionResultType]::ParameterName, 'The size of a block of raw bytes, such as 256K [default: by codec and level]')
            [CompletionResult]::new('--chunks', '--chunks', [CompletionResultType]::ParameterName, 'The chunkshape of a .npy array, such as 100,200 [default: some MiB]')
            [CompletionResult]::new('--blocks', '--blocks', [CompletionResultType]::ParameterName, 'The blockshape of a .npy array [default: fit for the cache]')
            [CompletionResult]::new('--npy', '--npy', [CompletionResultType]::ParameterName, 'When the input is taken as a NumPy file')
            [CompletionResult]::new('-T', '-T ', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Write to standard output, as -o - does')
            [CompletionResult]::new('--stdout', '--stdout', [CompletionResultType]::ParameterName, 'Write to standard output, as -o - does')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Keep the input; this is the default')
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'Keep the input; this is the default')
            [CompletionResult]::new('--rm', '--rm', [CompletionResultType]::ParameterName, 'Remove the input after its output is complete')
            [CompletionResult]::new('-1', '-1', [CompletionResultType]::ParameterName, 'The level 1; and so on')
            [CompletionResult]::new('-2', '-2', [CompletionResultType]::ParameterName, '2')
            [CompletionResult]::new('-3', '-3', [CompletionResultType]::ParameterName, '3')
            [CompletionResult]::new('-4', '-4', [CompletionResultType]::ParameterName, '4')
            [CompletionResult]::new('-5', '-5', [CompletionResultType]::ParameterName, '5')
            [CompletionResult]::new('-6', '-6', [CompletionResultType]::ParameterName, '6')
            [CompletionResult]::new('-7', '-7', [CompletionResultType]::ParameterName, '7')
            [CompletionResult]::new('-8', '-8', [CompletionResultType]::ParameterName, '8')
            [CompletionResult]::new('-9', '-9', [CompletionResultType]::ParameterName, '9')
            [CompletionResult]::new('--sparse', '--sparse', [CompletionResultType]::ParameterName, 'Make a directory with a file per chunk instead of one file')
            [CompletionResult]::new('--seal', '--seal', [CompletionResultType]::ParameterName, 'Seal the frame with checksums of everything in it, for verify')
            [CompletionResult]::new('--force-nested', '--force-nested', [CompletionResultType]::ParameterName, 'Compress a file of Blosc2 once more, as bytes')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;decompress' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The file to write, or - for standard output; DIR/ for files with the default names in a directory. The decoded bytes, in C order; a name that ends in .npy makes a NumPy file: of the array, or else of one axis of items (|u1 for typesize 1, |V<typesize> above) [default: INPUT without its ending, or .npy for an array]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The file to write, or - for standard output; DIR/ for files with the default names in a directory. The decoded bytes, in C order; a name that ends in .npy makes a NumPy file: of the array, or else of one axis of items (|u1 for typesize 1, |V<typesize> above) [default: INPUT without its ending, or .npy for an array]')
            [CompletionResult]::new('-T', '-T ', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Write to standard output, as -o - does')
            [CompletionResult]::new('--stdout', '--stdout', [CompletionResultType]::ParameterName, 'Write to standard output, as -o - does')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Keep the input; this is the default')
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'Keep the input; this is the default')
            [CompletionResult]::new('--rm', '--rm', [CompletionResultType]::ParameterName, 'Remove the input after its output is complete')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;cat' {
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'The part to write, as in NumPy: 0:10,5:7 or 3,...,::2; bounds may be negative or left out, steps are positive, a single index takes its axis away [default: all]')
            [CompletionResult]::new('--slice', '--slice', [CompletionResultType]::ParameterName, 'The part to write, as in NumPy: 0:10,5:7 or 3,...,::2; bounds may be negative or left out, steps are positive, a single index takes its axis away [default: all]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The file to write, or - for standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The file to write, or - for standard output')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How elements are written [default: by the ending of OUT: .npy, .csv, .json, .txt; text on a terminal, raw elsewhere]')
            [CompletionResult]::new('-T', '-T ', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;convert' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The file to write, or - for standard output; DIR/ for files with the default names in a directory [default: INPUT with .b2nd or .b2frame]')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The file to write, or - for standard output; DIR/ for files with the default names in a directory [default: INPUT with .b2nd or .b2frame]')
            [CompletionResult]::new('--codec', '--codec', [CompletionResultType]::ParameterName, 'The codec [default: blosclz]')
            [CompletionResult]::new('--level', '--level', [CompletionResultType]::ParameterName, 'The compression level: 0 copies, 9 is the slowest; also -1 to -9 [default: 5]')
            [CompletionResult]::new('--filters', '--filters', [CompletionResultType]::ParameterName, 'The filters in the order in which they are applied, as NAME or NAME:META: none, shuffle, bitshuffle, delta, trunc_prec:BITS, bytedelta, int_trunc:BITS, ndcell:SIDE, ndmean:SIDE. A filter that changes values (trunc_prec, int_trunc, ndmean) is followed by shuffle if no other filter is named; NAME,none leaves it alone [default: shuffle]')
            [CompletionResult]::new('--auto', '--auto', [CompletionResultType]::ParameterName, 'Choose codec, level and filters by samples of the data, for a goal [default: balanced]')
            [CompletionResult]::new('--split', '--split', [CompletionResultType]::ParameterName, 'When blocks are split into one stream per byte of an item [default: forward]')
            [CompletionResult]::new('--typesize', '--typesize', [CompletionResultType]::ParameterName, 'The size of an item in bytes [default: 1, or the dtype''s of a .npy array]')
            [CompletionResult]::new('--chunk-size', '--chunk-size', [CompletionResultType]::ParameterName, 'The size of a chunk of raw bytes, such as 4M; cut to whole items [default: 4M]')
            [CompletionResult]::new('--block-size', '--block-size', [CompletionResultType]::ParameterName, 'The size of a block of raw bytes, such as 256K [default: by codec and level]')
            [CompletionResult]::new('--chunks', '--chunks', [CompletionResultType]::ParameterName, 'The chunkshape of a .npy array, such as 100,200 [default: some MiB]')
            [CompletionResult]::new('--blocks', '--blocks', [CompletionResultType]::ParameterName, 'The blockshape of a .npy array [default: fit for the cache]')
            [CompletionResult]::new('--npy', '--npy', [CompletionResultType]::ParameterName, 'When the input is taken as a NumPy file')
            [CompletionResult]::new('-T', '-T ', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Kind of output [default: by the ending of OUT: .npy, .npz, .b2nd, .b2frame, .b2z, .zarr, .raw or .bin]')
            [CompletionResult]::new('--zarr-format', '--zarr-format', [CompletionResultType]::ParameterName, 'The version of Zarr that is written')
            [CompletionResult]::new('--dtype', '--dtype', [CompletionResultType]::ParameterName, 'The dtype of raw input, such as <f8')
            [CompletionResult]::new('--shape', '--shape', [CompletionResultType]::ParameterName, 'The shape of raw input, such as 100,200; one of the lengths may be -1, for as many as there are')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Write to standard output, as -o - does')
            [CompletionResult]::new('--stdout', '--stdout', [CompletionResultType]::ParameterName, 'Write to standard output, as -o - does')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Keep the input; this is the default')
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'Keep the input; this is the default')
            [CompletionResult]::new('--rm', '--rm', [CompletionResultType]::ParameterName, 'Remove the input after its output is complete')
            [CompletionResult]::new('-1', '-1', [CompletionResultType]::ParameterName, 'The level 1; and so on')
            [CompletionResult]::new('-2', '-2', [CompletionResultType]::ParameterName, '2')
            [CompletionResult]::new('-3', '-3', [CompletionResultType]::ParameterName, '3')
            [CompletionResult]::new('-4', '-4', [CompletionResultType]::ParameterName, '4')
            [CompletionResult]::new('-5', '-5', [CompletionResultType]::ParameterName, '5')
            [CompletionResult]::new('-6', '-6', [CompletionResultType]::ParameterName, '6')
            [CompletionResult]::new('-7', '-7', [CompletionResultType]::ParameterName, '7')
            [CompletionResult]::new('-8', '-8', [CompletionResultType]::ParameterName, '8')
            [CompletionResult]::new('-9', '-9', [CompletionResultType]::ParameterName, '9')
            [CompletionResult]::new('--sparse', '--sparse', [CompletionResultType]::ParameterName, 'Make a directory with a file per chunk instead of one file')
            [CompletionResult]::new('--seal', '--seal', [CompletionResultType]::ParameterName, 'Seal the frame with checksums of everything in it, for verify')
            [CompletionResult]::new('--force-nested', '--force-nested', [CompletionResultType]::ParameterName, 'Compress a file of Blosc2 once more, as bytes')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;info' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--tree', '--tree', [CompletionResultType]::ParameterName, 'List a store with everything in it: a bundle of python-blosc2 (.b2e, .b2d, .b2z), Zarr, or a part of it as STORE:/KEY')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('--chunks', '--chunks', [CompletionResultType]::ParameterName, 'List every chunk')
            [CompletionResult]::new('--meta', '--meta', [CompletionResultType]::ParameterName, 'Print the content of all metalayers, whole')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes as numbers of bytes')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;ls' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON, a line for each')
            [CompletionResult]::new('--bytes', '--bytes', [CompletionResultType]::ParameterName, 'Print sizes as numbers of bytes')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;verify' {
            [CompletionResult]::new('-T', '-T ', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;append' {
            [CompletionResult]::new('-T', '-T ', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--seal', '--seal', [CompletionResultType]::ParameterName, 'Seal the frame again; a change takes an old seal away')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait while another process changes the frame, instead of failing')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;compact' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait while another process changes the frame, instead of failing')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;recover' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait while another process changes the frame, instead of failing')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;tune' {
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'The wish that parameters are to meet')
            [CompletionResult]::new('--typesize', '--typesize', [CompletionResultType]::ParameterName, 'The size of an item of raw bytes [default: found by trial]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON, with every trial')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;bench' {
            [CompletionResult]::new('--synthetic', '--synthetic', [CompletionResultType]::ParameterName, 'Measure made data [default: temperatures]')
            [CompletionResult]::new('--codecs', '--codecs', [CompletionResultType]::ParameterName, 'The codecs')
            [CompletionResult]::new('--levels', '--levels', [CompletionResultType]::ParameterName, 'The levels')
            [CompletionResult]::new('--filters', '--filters', [CompletionResultType]::ParameterName, 'The pipelines of filters, such as none,shuffle,delta+shuffle [default: five by the size of an item]')
            [CompletionResult]::new('--splits', '--splits', [CompletionResultType]::ParameterName, 'When blocks are split into one stream per byte of an item')
            [CompletionResult]::new('-T', '-T ', [CompletionResultType]::ParameterName, 'The numbers of threads [default: 1, and for the best cells also up to one per core]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'The numbers of threads [default: 1, and for the best cells also up to one per core]')
            [CompletionResult]::new('--typesize', '--typesize', [CompletionResultType]::ParameterName, 'The size of an item of raw bytes [default: found by trial]')
            [CompletionResult]::new('--sample', '--sample', [CompletionResultType]::ParameterName, 'How many bytes of the data are measured, in chunks from evenly spaced places')
            [CompletionResult]::new('--chunk-size', '--chunk-size', [CompletionResultType]::ParameterName, 'The size of a chunk')
            [CompletionResult]::new('--time', '--time', [CompletionResultType]::ParameterName, 'The time after which nothing is repeated any more, in seconds')
            [CompletionResult]::new('--against', '--against', [CompletionResultType]::ParameterName, 'Measure C-Blosc2 as well: the path of its library')
            [CompletionResult]::new('--helper', '--helper', [CompletionResultType]::ParameterName, 'The program that calls the library [default: bench_c beside this program]')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The form of the report [default: by the ending of OUT: .csv, .json, .md, .html; else text]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The file to write, or - for standard output')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The file to write, or - for standard output')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;meta' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List all metalayers: name, size, kind, value')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Print one as JSON')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Set one of variable length, as python-blosc2 stores values')
            [CompletionResult]::new('del', 'del', [CompletionResultType]::ParameterValue, 'Remove one of variable length')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'oxiblosc;meta;list' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;meta;get' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Its bytes as they are')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;meta;set' {
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Store the bytes of a file as they are')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Take the value as text, also if it is JSON')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait while another process changes the frame, instead of failing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;meta;del' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--wait', '--wait', [CompletionResultType]::ParameterName, 'Wait while another process changes the frame, instead of failing')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;meta;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List all metalayers: name, size, kind, value')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Print one as JSON')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Set one of variable length, as python-blosc2 stores values')
            [CompletionResult]::new('del', 'del', [CompletionResultType]::ParameterValue, 'Remove one of variable length')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'oxiblosc;meta;help;list' {
            break
        }
        'oxiblosc;meta;help;get' {
            break
        }
        'oxiblosc;meta;help;set' {
            break
        }
        'oxiblosc;meta;help;del' {
            break
        }
        'oxiblosc;meta;help;help' {
            break
        }
        'oxiblosc;diff' {
            [CompletionResult]::new('-T', '-T ', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'The number of threads [default: one per core]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;completions' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;man' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;salvage' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The frame to make: chunks that are lost are zeros in it')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'The frame to make: chunks that are lost are zeros in it')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When the output has colors')
            [CompletionResult]::new('--sparse', '--sparse', [CompletionResultType]::ParameterName, 'Make a directory with a file per chunk instead of one file')
            [CompletionResult]::new('--no-limits', '--no-limits', [CompletionResultType]::ParameterName, 'Accept any size that the format allows; by default, chunks above 1 GiB are refused')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the output if it exists')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print errors only')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Print the parameters of what is written, too')
            [CompletionResult]::new('--no-progress', '--no-progress', [CompletionResultType]::ParameterName, 'Show no progress bar')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'oxiblosc;help' {
            [CompletionResult]::new('compress', 'compress', [CompletionResultType]::ParameterValue, 'Compress a file: a .npy array becomes a .b2nd array, anything else a .b2frame')
            [CompletionResult]::new('decompress', 'decompress', [CompletionResultType]::ParameterValue, 'Decompress a frame, an array or a bare chunk (Blosc2 or Blosc1), recognised by content')
            [CompletionResult]::new('cat', 'cat', [CompletionResultType]::ParameterValue, 'Write the elements of an array, or of a part of it, to standard output or a file')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Convert between .npy, raw bytes, arrays and frames, with other chunks, blocks and parameters; what is not given stays as it is in a compressed input')
            [CompletionResult]::new('info', 'info', [CompletionResultType]::ParameterValue, 'Say what a compressed file holds')
            [CompletionResult]::new('ls', 'ls', [CompletionResultType]::ParameterValue, 'List compressed files and directories of them, a line each')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Decode everything in a compressed file, and say whether it is whole; a sealed frame is compared with its seal first, and of a store every object is checked')
            [CompletionResult]::new('append', 'append', [CompletionResultType]::ParameterValue, 'Add bytes to a frame, or the rows of a .npy array to an array; all of them or, after a crash, none')
            [CompletionResult]::new('compact', 'compact', [CompletionResultType]::ParameterValue, 'Close the gaps that changes left in a frame; of a sparse one, remove the unused files')
            [CompletionResult]::new('recover', 'recover', [CompletionResultType]::ParameterValue, 'Trim a frame that can be read: cut off what lies after it, the beginning of a change that was never completed; of a sparse one, remove the unused files. A damaged frame needs salvage')
            [CompletionResult]::new('tune', 'tune', [CompletionResultType]::ParameterValue, 'Find parameters that suit data: codec, level and filters, by samples of it')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Measure codecs, levels and filters on data: ratio and speeds of compression and decompression, in memory, with every result decoded and compared')
            [CompletionResult]::new('meta', 'meta', [CompletionResultType]::ParameterValue, 'List, print, set or remove the metadata of a frame or an array')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Say whether two files hold the same data, whatever their chunks and codecs, and else the first difference')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions of a shell, for its startup file')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the manual pages into a directory')
            [CompletionResult]::new('salvage', 'salvage', [CompletionResultType]::ParameterValue, 'Make a new frame of every whole chunk of a damaged one, and list what is lost; exit code 0 when that is nothing, else 1')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'oxiblosc;help;compress' {
            break
        }
        'oxiblosc;help;decompress' {
            break
        }
        'oxiblosc;help;cat' {
            break
        }
        'oxiblosc;help;convert' {
            break
        }
        'oxiblosc;help;info' {
            break
        }
        'oxiblosc;help;ls' {
            break
        }
        'oxiblosc;help;verify' {
            break
        }
        'oxiblosc;help;append' {
            break
        }
        'oxiblosc;help;compact' {
            break
        }
        'oxiblosc;help;recover' {
            break
        }
        'oxiblosc;help;tune' {
            break
        }
        'oxiblosc;help;bench' {
            break
        }
        'oxiblosc;help;meta' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List all metalayers: name, size, kind, value')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Print one as JSON')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Set one of variable length, as python-blosc2 stores values')
            [CompletionResult]::new('del', 'del', [CompletionResultType]::ParameterValue, 'Remove one of variable length')
            break
        }
        'oxiblosc;help;meta;list' {
            break
        }
        'oxiblosc;help;meta;get' {
            break
        }
        'oxiblosc;help;meta;set' {
            break
        }
        'oxiblosc;help;meta;del' {
            break
        }
        'oxiblosc;help;diff' {
            break
        }
        'oxiblosc;help;completions' {
            break
        }
        'oxiblosc;help;man' {
            break
        }
        'oxiblosc;help;salvage' {
            break
        }
        'oxiblosc;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
