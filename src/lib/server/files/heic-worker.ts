import libheif, { type Context } from 'libheif-js/wasm-bundle.js';
import { answerRequests, lowerPriority } from '../jobs/answer-requests.ts';
import { CHANNELS, type Pixels } from './heic.ts';
import { MAX_HEIC_PIXELS } from './picture-bounds.ts';

lowerPriority();
answerRequests(decode, ({ data }) => [data.buffer as ArrayBuffer]);

async function decode({ bytes }: { bytes: Uint8Array }): Promise<Pixels> {
  await libheif.ready;
  const context = libheif.heif_context_alloc();
  try {
    // Refuses pictures whose data is larger than the file declares.
    libheif.heif_context_set_maximum_image_size_limit(context, Math.sqrt(MAX_HEIC_PIXELS));
    const read = libheif.heif_context_read_from_memory(context, bytes);
    if (read.code !== libheif.heif_error_code.heif_error_Ok) throw new Error(read.message);
    return readPrimary(context);
  } finally {
    libheif.heif_context_free(context);
  }
}

/** Decodes the picture that the file names as its main one; others are thumbnails and depth maps. */
function readPrimary(context: Context): Pixels {
  const handle = libheif.heif_js_context_get_primary_image_handle(context);
  if (handle.code) throw new Error(handle.message);
  const { heif_colorspace_RGB: colours } = libheif.heif_colorspace;
  const { heif_chroma_interleaved_RGB: order } = libheif.heif_chroma;
  const decoded = libheif.heif_js_decode_image2(handle, colours, order);
  libheif.heif_image_handle_release(handle);
  if (!decoded.channels) throw new Error(decoded.message);
  const { heif_channel_interleaved } = libheif.heif_channel;
  const plane = decoded.channels.find(({ id }) => id === heif_channel_interleaved);
  if (!plane) throw new Error('the decoder returned no colours');
  const { width, height, stride, data } = plane;
  const pixels = new Uint8Array(CHANNELS * width * height);
  for (let row = 0; row < height; row += 1)
    pixels.set(data.subarray(row * stride, row * stride + CHANNELS * width), CHANNELS * width * row);
  libheif.heif_image_release(decoded.image);
  return { data: pixels, width, height };
}
