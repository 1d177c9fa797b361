//! The lessons that come with the program, in the order in which they are taught.

macro_rules! library {
    ($($file:literal),* $(,)?) => {
        /// The texts of the lessons, in their order.
        pub const LIBRARY: &[&str] = &[$(include_str!(concat!("../../../lessons/", $file, ".md")),)*];
    };
}

library![
    "01-log",
    "02-rotation",
    "03-table",
    "04-reading",
    "05-filters",
    "06-merging",
    "07-deleting",
    "08-power",
    "09-pressure",
    "10-strategies",
    "11-prefixes",
    "12-together",
];

/// The text of the lesson of `library` with this id.
pub(super) fn find<'l>(library: &[&'l str], id: &str) -> Option<&'l str> {
    library.iter().copied().find(|text| {
        let head = text.split("\n---").next().unwrap_or(text);
        head.lines().any(|line| line.strip_prefix("id:").is_some_and(|own| own.trim() == id))
    })
}
