/** The parts of libheif in use; the package declares types for another entry only. */
declare module 'libheif-js/wasm-bundle.js' {
  type Value = object;
  export interface Context {
    readonly context: unique symbol;
  }
  interface Handle {
    readonly handle: unique symbol;
    code?: undefined;
  }
  interface Failure {
    code: Value;
    message: string;
    channels?: undefined;
  }
  interface Decoded {
    image: Value;
    channels: { id: Value; width: number; height: number; stride: number; data: Uint8Array }[];
  }
  const libheif: {
    ready: Promise<unknown>;
    heif_error_code: { heif_error_Ok: Value };
    heif_colorspace: { heif_colorspace_RGB: Value };
    heif_chroma: { heif_chroma_interleaved_RGB: Value };
    heif_channel: { heif_channel_interleaved: Value };
    heif_context_alloc(): Context;
    heif_context_free(context: Context): void;
    heif_context_set_maximum_image_size_limit(context: Context, side: number): void;
    heif_context_read_from_memory(context: Context, bytes: Uint8Array): { code: Value; message: string };
    heif_js_context_get_primary_image_handle(context: Context): Handle | Failure;
    heif_js_decode_image2(handle: Handle, colours: Value, order: Value): Decoded | Failure;
    heif_image_handle_release(handle: Handle): void;
    heif_image_release(image: Value): void;
  };
  export default libheif;
}
