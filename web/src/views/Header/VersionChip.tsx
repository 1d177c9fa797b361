interface Props {
  hasNewer: boolean;
  onLoad(): void;
}

/** The offer of a newer version of the page; nothing where there is none. */
export function VersionChip({ hasNewer, onLoad }: Props) {
  return (
    <span className="version" aria-live="polite">
      {hasNewer && (
        <span className="chip plain newer">
          A new version is here.
          <button
            type="button"
            className="quiet"
            onClick={onLoad}
            title="The history and the branches of this session end, in all tabs; the database stays."
          >
            Load it
          </button>
        </span>
      )}
    </span>
  );
}
