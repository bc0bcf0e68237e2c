//! Numbers of the headers: errors, codecs, filters, flags, limits.

use std::ffi::c_int;

macro_rules! codes {
    ($($type:ident { $($name:ident = $value:expr, $doc:literal;)* })*) => {
        $($(
            #[doc = $doc]
            pub const $name: $type = $value;
        )*)*
    };
}

codes! {
    c_int {
    BLOSC2_ERROR_SUCCESS = 0, "Success.";
    BLOSC2_ERROR_FAILURE = -1, "A failure without a code of its own.";
    BLOSC2_ERROR_STREAM = -2, "A bad stream.";
    BLOSC2_ERROR_DATA = -3, "Invalid data.";
    BLOSC2_ERROR_MEMORY_ALLOC = -4, "Memory could not be had.";
    BLOSC2_ERROR_READ_BUFFER = -5, "Not enough bytes to read.";
    BLOSC2_ERROR_WRITE_BUFFER = -6, "Not enough room to write.";
    BLOSC2_ERROR_CODEC_SUPPORT = -7, "The codec is not supported.";
    BLOSC2_ERROR_CODEC_PARAM = -8, "An invalid parameter for a codec.";
    BLOSC2_ERROR_CODEC_DICT = -9, "An error with a dictionary.";
    BLOSC2_ERROR_VERSION_SUPPORT = -10, "The version is not supported.";
    BLOSC2_ERROR_INVALID_HEADER = -11, "An invalid value in a header.";
    BLOSC2_ERROR_INVALID_PARAM = -12, "An invalid parameter for a function.";
    BLOSC2_ERROR_FILE_READ = -13, "A file could not be read.";
    BLOSC2_ERROR_FILE_WRITE = -14, "A file could not be written.";
    BLOSC2_ERROR_FILE_OPEN = -15, "A file could not be opened.";
    BLOSC2_ERROR_NOT_FOUND = -16, "Not found.";
    BLOSC2_ERROR_RUN_LENGTH = -17, "A bad run length.";
    BLOSC2_ERROR_FILTER_PIPELINE = -18, "An error in the filters.";
    BLOSC2_ERROR_CHUNK_INSERT = -19, "A chunk could not be inserted.";
    BLOSC2_ERROR_CHUNK_APPEND = -20, "A chunk could not be appended.";
    BLOSC2_ERROR_CHUNK_UPDATE = -21, "A chunk could not be updated.";
    BLOSC2_ERROR_2GB_LIMIT = -22, "Larger than 2 GB.";
    BLOSC2_ERROR_SCHUNK_COPY = -23, "A super-chunk could not be copied.";
    BLOSC2_ERROR_FRAME_TYPE = -24, "The wrong type for a frame.";
    BLOSC2_ERROR_FILE_TRUNCATE = -25, "A file could not be truncated.";
    BLOSC2_ERROR_THREAD_CREATE = -26, "A thread could not be started.";
    BLOSC2_ERROR_POSTFILTER = -27, "The postfilter failed.";
    BLOSC2_ERROR_FRAME_SPECIAL = -28, "An error with a frame of special values.";
    BLOSC2_ERROR_SCHUNK_SPECIAL = -29, "An error with a super-chunk of special values.";
    BLOSC2_ERROR_PLUGIN_IO = -30, "An error of an I/O plugin.";
    BLOSC2_ERROR_FILE_REMOVE = -31, "A file could not be removed.";
    BLOSC2_ERROR_NULL_POINTER = -32, "A pointer is null.";
    BLOSC2_ERROR_INVALID_INDEX = -33, "An invalid index.";
    BLOSC2_ERROR_METALAYER_NOT_FOUND = -34, "No metalayer of this name.";
    BLOSC2_ERROR_MAX_BUFSIZE_EXCEEDED = -35, "Larger than the largest buffer.";
    BLOSC2_ERROR_TUNER = -36, "A tuner failed.";
    BLOSC2_ERROR_LOCK = -37, "The lock of a frame could not be had.";

    BLOSC2_MAX_BUFFERSIZE = i32::MAX - 32, "The largest buffer that one chunk holds.";
    BLOSC_NOSHUFFLE = 0, "No filter.";
    BLOSC_SHUFFLE = 1, "The byte shuffle.";
    BLOSC_BITSHUFFLE = 2, "The bit shuffle.";
    BLOSC_FORWARD_COMPAT_SPLIT = 4, "Blocks are split as the oldest readers expect.";
    }

    u8 {
    BLOSC_BLOSCLZ = 0, "BloscLZ.";
    BLOSC_LZ4 = 1, "LZ4.";
    BLOSC_LZ4HC = 2, "LZ4HC.";
    BLOSC_ZLIB = 4, "zlib.";
    BLOSC_ZSTD = 5, "Zstandard.";
    BLOSC_FILTER_DELTA = 3, "The filter delta.";
    BLOSC_FILTER_SHUFFLE = 1, "The filter shuffle.";
    BLOSC2_IO_FILESYSTEM = 0, "Files, read and written.";
    BLOSC2_IO_FILESYSTEM_MMAP = 1, "Files, mapped.";
    BLOSC2_IO_USER_START = 160, "The first id of a user's I/O callbacks.";
    BLOSC2_USER_REGISTERED_START = 160, "The first id of a user's codec, filter or tuner.";
    BLOSC2_VL_BLOCKS = 1, "The bit of `flags2`: blocks have variable lengths.";
    }

    usize {
    BLOSC_MIN_HEADER_LENGTH = 16, "Bytes of the short header.";
    BLOSC_EXTENDED_HEADER_LENGTH = 32, "Bytes of the extended header.";
    BLOSC2_MAX_FILTERS = 6, "Slots of the filter pipeline.";
    BLOSC2_MAX_METALAYERS = 16, "Metalayers of a super-chunk.";
    BLOSC2_MAX_VLMETALAYERS = 8192, "Variable-length metalayers of a super-chunk.";
    BLOSC2_METALAYER_NAME_MAXLEN = 31, "Bytes of the name of a metalayer.";
    B2ND_MAX_DIM = 16, "Dimensions of an array.";
    }
}

/// Special values of a chunk.
pub mod special {
    use std::ffi::c_int;

    codes! {
        c_int {
        NONE = 0, "Not special.";
        ZERO = 1, "Zeros.";
        NAN = 2, "NaNs.";
        VALUE = 3, "A repeated value.";
        UNINIT = 4, "Not initialised.";
        }
    }
}
