//! Parts that a check did not read are not called checked.

use super::{damage, has, lacks, opened, text};
use crate::common::zip::report as archive;

#[test]
fn a_table_whose_index_is_not_read_is_not_checked() {
    let files = archive("11");
    opened(&files, |directory| {
        directory.check_all(true);
        let checked = directory.checked();
        assert_eq!((checked.compared, checked.decoded), (1, 0), "{checked:?}");
        assert!(checked.is_over());
        let extent = checked.extent(true);
        has(&extent, "1 of 2 tables was not checked: its index cannot be read");
        has(&extent, "entries of 1 of 2 tables were not decoded");
        lacks(&extent, "every entry decoded");
        let words = text(&damage(directory));
        has(&words, "1 of 2 tables was not checked: its index cannot be read.");
        lacks(&words, "decoded every entry");
        lacks(&words, "No damage was found by");
    });
}
