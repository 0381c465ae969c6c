/**
 * Containers that hold their own media. Never add manifests, playlists or session descriptions (DASH, HLS, concat, SDP,
 * image sequences …): FFmpeg opens the files and URLs that they name.
 */
export const CONTAINERS = [
  ...['wav', 'w64', 'aiff', 'au', 'caf', 'voc', 'flac', 'wv', 'ape', 'tta', 'mp3', 'aac', 'loas', 'ac3', 'eac3', 'dts'],
  ...['amr', 'amrnb', 'amrwb', 'ogg', 'mov', 'matroska', 'mpegts', 'mpeg', 'avi', 'flv', 'asf'],
];

/** Decoders that may run on an untrusted file. No video decoder, not even to probe a first frame. */
export const DECODERS = [
  ...[
    'aac',
    'aac_latm',
    'ac3',
    'eac3',
    'dca',
    'mp1float',
    'mp2float',
    'mp3float',
    'mp1',
    'mp2',
    'mp3',
    'opus',
    'vorbis',
  ],
  ...['flac', 'alac', 'ape', 'tta', 'wavpack', 'amrnb', 'amrwb', 'speex', 'gsm', 'gsm_ms', 'g722', 'g726', 'g726le'],
  ...['wmav1', 'wmav2', 'wmapro', 'wmalossless', 'wmavoice', 'nellymoser', 'qdm2', 'mace3', 'mace6', 'libopus'],
  ...['adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'adpcm_swf', 'adpcm_yamaha', 'pcm_alaw', 'pcm_mulaw', 'pcm_u8'],
  ...['pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be', 'pcm_s64le', 'pcm_s64be'],
  ...['pcm_f16le', 'pcm_f24le', 'pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be', 'pcm_bluray', 'pcm_dvd'],
  ...['pcm_s8_planar', 'pcm_s16le_planar', 'pcm_s16be_planar', 'pcm_s24le_planar', 'pcm_s32le_planar'],
  ...['pcm_u16le', 'pcm_u16be', 'pcm_u24le', 'pcm_u24be', 'pcm_u32le', 'pcm_u32be'],
];

/** Containers that state their duration; for others FFmpeg estimates it from a bit rate. */
export const WITH_DURATION = new Set(['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm', 'flac', 'ogg']);

/** Containers without index or sizes: FFmpeg may search all of a damaged file for the next packet. */
export const UNINDEXED = new Set(['mpegts', 'mpeg', 'aac', 'loas', 'ac3', 'eac3', 'dts']);
