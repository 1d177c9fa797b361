import { useViews } from './contexts';

/** Leads from a view over the picture back to it. `more`: what the hint says besides. */
export function BackButton({ more = '' }: { more?: string }) {
  const { closeFull } = useViews();
  return (
    <button
      type="button"
      className="quiet back"
      onClick={closeFull}
      title={`Back to the picture (Esc)${more}`}
    >
      <span aria-hidden="true">←</span> Lab
    </button>
  );
}
