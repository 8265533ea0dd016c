import { QuietButton } from './Button.tsx';

interface Props {
  action: string;
  isBusy: boolean;
  onClose(): void;
}

export const DialogEnd = ({ action, isBusy, onClose }: Props) => (
  <p className="mt-5 flex justify-end gap-3">
    <QuietButton onClick={onClose}>取消</QuietButton>
    <button type="submit" className="button" aria-disabled={isBusy}>
      {action}
    </button>
  </p>
);
