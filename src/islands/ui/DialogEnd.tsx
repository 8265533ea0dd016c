interface Props {
  /** What the button says that sends the dialog's form. */
  action: string;
  isBusy: boolean;
  onClose(): void;
}

/** How the form of a dialog ends: the button that closes it, the one that sends it. */
export const DialogEnd = ({ action, isBusy, onClose }: Props) => (
  <p className="mt-5 flex justify-end gap-3">
    <button type="button" className="button-quiet" onClick={onClose}>
      取消
    </button>
    <button type="submit" className="button border-0 cursor-pointer" aria-disabled={isBusy}>
      {action}
    </button>
  </p>
);
