//! The engine in the browser.
