interface Props {
  version: { readonly isComplete: boolean; readonly hasNewer: boolean };
  onLoad(): void;
}

/** The offer of a newer version, or that the page works without a network; nothing where neither holds. */
export function VersionChip({ version, onLoad }: Props) {
  return (
    <span className="version" aria-live="polite">
      {version.hasNewer ? (
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
      ) : (
        version.isComplete && (
          <span
            className="chip plain roomy"
            title="This browser has a complete copy of the page. Your data is not part of it."
          >
            Works offline
          </span>
        )
      )}
    </span>
  );
}
